package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.nats.DurableState.Changed;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import org.jspecify.annotations.Nullable;

/**
 * How the durable of a projector must be configured, and where an existing one differs.
 * Asks no server.
 */
final class DurableConfiguration {

	/**
	 * A key in a durable's metadata. It shows that the SDK set the start, so a start by
	 * sequence is not a configuration difference.
	 */
	private static final String PLACED = "eventing-placed";

	/** A key in a durable's metadata: the identity of the projector's database. */
	private static final String SCHEMA = "eventing-schema";

	/**
	 * A key in a durable's metadata: when it was created, as far as the SDK knows. One
	 * that others make with the metadata of a former one is younger.
	 */
	private static final String CREATED = "eventing-created";

	private static final int UNLIMITED = -1;

	/**
	 * The minimum of waiting requests, for requests of all nodes and of lost connections.
	 */
	private static final int FEWEST_WAITING = 32;

	private DurableConfiguration() {
	}

	/**
	 * The configuration of a new durable that starts after a sequence.
	 * @param former the configuration of the durable that it replaces, or null. What an
	 * operator set there is kept, such as a pause, replicas, metadata and limits.
	 */
	static ConsumerConfiguration startingBehind(DurableSpec spec, long floor, @Nullable ConsumerConfiguration former) {
		return placed(spec, former).deliverPolicy(DeliverPolicy.ByStartSequence)
			.startSequence(floor + 1)
			.startTime(null)
			.build();
	}

	/** The configuration of a new durable that starts with the first message. */
	static ConsumerConfiguration startingWithAll(DurableSpec spec) {
		return placed(spec, null).deliverPolicy(DeliverPolicy.All).build();
	}

	private static ConsumerConfiguration.Builder placed(DurableSpec spec, @Nullable ConsumerConfiguration former) {
		ConsumerConfiguration wanted = wanted(spec, former);
		Map<String, String> metadata = new HashMap<>(metadata(wanted));
		metadata.put(PLACED, "behind-floor");
		metadata.remove(CREATED); // it is not created yet
		return ConsumerConfiguration.builder(wanted).metadata(metadata);
	}

	private static Map<String, String> metadata(@Nullable ConsumerConfiguration configuration) {
		Map<String, String> metadata = (configuration != null) ? configuration.getMetadata() : null;
		return (metadata != null) ? metadata : Map.of();
	}

	/**
	 * The required configuration, with exactly the filters of the properties. Properties
	 * that the SDK does not set are copied from the existing durable.
	 */
	static ConsumerConfiguration wanted(DurableSpec spec, @Nullable ConsumerConfiguration existing) {
		ConsumerConfiguration.Builder builder = (existing != null) ? ConsumerConfiguration.builder(existing)
				: ConsumerConfiguration.builder()
					.deliverPolicy(spec.fromStart() ? DeliverPolicy.All : DeliverPolicy.New)
					.ackPolicy(AckPolicy.Explicit);
		Map<String, String> metadata = new HashMap<>(metadata(existing));
		if (spec.schema() != null) {
			metadata.put(SCHEMA, spec.schema());
		}
		return builder.metadata(metadata)
			.durable(spec.name())
			.filterSubjects(new ArrayList<>(spec.filterSubjects()))
			.ackWait(spec.ackWait())
			.maxAckPending(spec.maxAckPending())
			.maxDeliver(UNLIMITED)
			.backoff(new Duration[0])
			.headersOnly(false)
			.inactiveThreshold(Duration.ZERO)
			.build();
	}

	/** The required configuration of an existing durable, with when it was created. */
	static ConsumerConfiguration marked(DurableSpec spec, ConsumerInfo existing) {
		ConsumerConfiguration wanted = wanted(spec, existing.getConsumerConfiguration());
		if (spec.schema() == null) {
			return wanted;
		}
		Map<String, String> metadata = new HashMap<>(metadata(wanted));
		metadata.put(CREATED, created(existing));
		return ConsumerConfiguration.builder(wanted).metadata(metadata).build();
	}

	/** Whether the metadata has when it was created, or need not have it. */
	static boolean isMarked(DurableSpec spec, ConsumerInfo existing) {
		return spec.schema() == null
				|| created(existing).equals(metadata(existing.getConsumerConfiguration()).get(CREATED));
	}

	/**
	 * What others have changed. The SDK creates a durable with the identity of the
	 * database, and adds later when that was.
	 * @param mayBeWider whether the SDK may have chosen filters that match more
	 */
	static Changed changed(DurableSpec spec, ConsumerInfo existing, boolean mayBeWider) {
		Map<String, String> metadata = metadata(existing.getConsumerConfiguration());
		if (spec.schema() != null && (!metadata.containsKey(SCHEMA)
				|| !metadata.getOrDefault(CREATED, created(existing)).equals(created(existing)))) {
			return Changed.ALL;
		}
		Set<String> filters = filters(existing.getConsumerConfiguration());
		boolean chosen = filters.equals(DurableFilters.exact(spec))
				|| (mayBeWider && filters.equals(DurableFilters.wider(spec)));
		return chosen ? Changed.NOTHING : Changed.ITS_FILTER;
	}

	private static String created(ConsumerInfo existing) {
		return existing.getCreationTime().toInstant().toString();
	}

	/**
	 * Rejects a durable of another database.
	 * @throws JetStreamConfigurationException if it belongs to another database
	 */
	static void refuseForeign(DurableSpec spec, ConsumerConfiguration existing) {
		String owner = metadata(existing).get(SCHEMA);
		if (spec.schema() != null && owner != null && !owner.equals(spec.schema())) {
			throw new JetStreamConfigurationException("Durable '" + spec.name() + "' of projector '" + spec.projector()
					+ "' on stream '" + spec.stream() + "' belongs to another database: its schema has the identity '"
					+ owner + "', the one here has '" + spec.schema()
					+ "'. Each would receive only a part of the events. Consider another name for this durable or "
					+ "projector, or, if the other database no longer exists, deleting the durable: it is recreated at "
					+ "the position that is saved here.");
		}
	}

	/**
	 * Rejects a durable with differences that the server does not let change, or that
	 * were made by hand.
	 * @throws JetStreamConfigurationException if there are any; names all of them
	 */
	static void refuseUnchangeable(DurableSpec spec, ConsumerConfiguration existing) {
		List<String> problems = new ArrayList<>();
		if (existing.getDeliverSubject() != null) {
			problems.add("it pushes to '" + existing.getDeliverSubject() + "' but must be a pull consumer");
		}
		if (existing.getAckPolicy() != AckPolicy.Explicit) {
			problems
				.add("its ack policy is '" + existing.getAckPolicy() + "' but must be '" + AckPolicy.Explicit + "'");
		}
		DeliverPolicy wanted = spec.fromStart() ? DeliverPolicy.All : DeliverPolicy.New;
		boolean placedByUs = metadata(existing).containsKey(PLACED);
		if (existing.getDeliverPolicy() != wanted && !placedByUs) {
			problems.add("its deliver policy is '" + existing.getDeliverPolicy() + "' but the projector requires '"
					+ wanted + "'");
		}
		refuseLimits(spec, existing, problems);
		if (!problems.isEmpty()) {
			throw new JetStreamConfigurationException("Durable '" + spec.name() + "' of projector '" + spec.projector()
					+ "' on stream '" + spec.stream() + "' exists and cannot be changed: " + String.join("; ", problems)
					+ ". Consider another durableName, or deleting the durable.");
		}
	}

	/**
	 * Finds limits that were set by hand and make the server reject the SDK's requests.
	 * They are not undone here: they may be intended for another application that uses
	 * the same durable.
	 */
	private static void refuseLimits(DurableSpec spec, ConsumerConfiguration existing, List<String> problems) {
		if (existing.getMaxBatch() > 0 && existing.getMaxBatch() < spec.maxAckPending()) {
			problems.add("its max batch is '" + existing.getMaxBatch()
					+ "' but requests ask for up to 'maxAckPending', which is '" + spec.maxAckPending() + "'");
		}
		if (existing.getMaxBytes() > 0) {
			problems.add("its max bytes of a request are '" + existing.getMaxBytes() + "' but must be unlimited");
		}
		Duration maxExpires = existing.getMaxExpires();
		if (maxExpires != null && !maxExpires.isZero() && maxExpires.compareTo(DurablePull.EXPIRES) < 0) {
			problems.add("its max expires is '" + maxExpires + "' but requests last '" + DurablePull.EXPIRES + "'");
		}
		if (existing.getMaxPullWaiting() > 0 && existing.getMaxPullWaiting() < FEWEST_WAITING) {
			problems.add("its max waiting is '" + existing.getMaxPullWaiting() + "' but must be at least '"
					+ FEWEST_WAITING + "'");
		}
		List<String> groups = existing.getPriorityGroups();
		if (groups != null && !groups.isEmpty()) {
			problems.add("it has the priority groups '" + String.join("', '", groups) + "' but must have none");
		}
	}

	/** The differences that an update removes, each with both values. */
	static List<String> drift(DurableSpec spec, ConsumerConfiguration actual) {
		List<String> drift = new ArrayList<>();
		addDrift(drift, "filterSubjects", filters(actual), spec.filterSubjects());
		addDrift(drift, "ackWait", actual.getAckWait(), spec.ackWait());
		addDrift(drift, "maxAckPending", actual.getMaxAckPending(), (long) spec.maxAckPending());
		addDrift(drift, "maxDeliver", actual.getMaxDeliver(), (long) UNLIMITED);
		addDrift(drift, "backoff", List.copyOf(actual.getBackoff()), List.of());
		addDrift(drift, "headersOnly", actual.isHeadersOnly(), false);
		addDrift(drift, "inactiveThreshold", Objects.requireNonNullElse(actual.getInactiveThreshold(), Duration.ZERO),
				Duration.ZERO);
		if (spec.schema() != null) {
			addDrift(drift, SCHEMA, metadata(actual).get(SCHEMA), spec.schema());
		}
		return drift;
	}

	/** The differences that an update has removed. The server may set another value. */
	static List<String> changes(DurableSpec spec, ConsumerConfiguration before, ConsumerConfiguration after) {
		Set<String> left = drift(spec, after).stream().map(DurableConfiguration::property).collect(Collectors.toSet());
		return drift(spec, before).stream().filter((change) -> !left.contains(property(change))).toList();
	}

	private static String property(String change) {
		return change.substring(0, change.indexOf(' '));
	}

	private static Set<String> filters(ConsumerConfiguration configuration) {
		List<String> filters = configuration.getFilterSubjects();
		return (filters != null) ? new LinkedHashSet<>(filters) : Set.of();
	}

	private static void addDrift(List<String> drift, String name, @Nullable Object actual, Object wanted) {
		if (!Objects.equals(actual, wanted)) {
			drift.add(name + " " + actual + " -> " + wanted);
		}
	}

}
