package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures durable consumers as projectors require: creates missing ones, updates
 * properties that may change, and rejects differences that an operator must resolve. The
 * server's limit of deliveries is off, because only attempts of handlers count.
 * Thread-safe.
 */
public final class Durables {

	private static final Logger logger = LoggerFactory.getLogger(Durables.class);

	/**
	 * A key in a durable's metadata. It shows that the SDK set the start, so a start by
	 * sequence is not a configuration difference.
	 */
	private static final String PLACED = "eventing-placed";

	/** A key in a durable's metadata: the identity of the projector's database. */
	private static final String SCHEMA = "eventing-schema";

	private static final String RESET_SINCE = "2.14.0";

	private static final int UNLIMITED = -1;

	/**
	 * The minimum of waiting requests, for requests of all nodes and of lost connections.
	 */
	private static final int FEWEST_WAITING = 32;

	private final NatsClient client;

	private final StoredMessages messages;

	public Durables(NatsClient client) {
		this.client = client;
		this.messages = new StoredMessages(client);
	}

	/**
	 * The state of the durable, or null if there is none.
	 * @throws ForeignDurableException if it belongs to another database
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable DurableState find(DurableSpec spec) {
		try {
			ConsumerInfo info = info(this.client.management(), spec);
			if (info != null) {
				refuseForeign(spec, info.getConsumerConfiguration());
			}
			return (info != null) ? state(spec, info) : null;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "looked up", ex);
		}
	}

	/**
	 * Ensures that the durable exists and has the required properties.
	 * @param saved the projector's saved position, or null. A new durable starts after
	 * it, or with the first event if the stream was recreated.
	 * @return the state of the durable
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws ForeignDurableException if the existing durable belongs to another
	 * database; one without a database is claimed for this one
	 * @throws JetStreamConfigurationException if the existing durable differs in a
	 * property that cannot be changed
	 */
	public DurableState reconcile(DurableSpec spec, @Nullable SavedFloor saved) {
		JetStreamManagement management = this.client.management();
		try {
			ConsumerInfo existing = info(management, spec);
			if (existing == null) {
				existing = create(management, spec, saved);
			}
			else {
				refuseForeign(spec, existing.getConsumerConfiguration());
				refuseUnchangeable(spec, existing.getConsumerConfiguration());
				existing = update(management, spec, existing);
			}
			return state(spec, existing);
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "reconciled", ex);
		}
	}

	private ConsumerInfo create(JetStreamManagement management, DurableSpec spec, @Nullable SavedFloor saved)
			throws IOException, JetStreamApiException {
		ConsumerConfiguration.Builder builder = ConsumerConfiguration.builder(wanted(spec, null));
		StreamInfo stream = management.getStreamInfo(spec.stream());
		if (saved != null) {
			// a stream that has lost its tail has fewer events than the projector has
			// applied
			long floor = saved.streamCreated().equals(created(stream))
					? Math.min(saved.floor(), stream.getStreamState().getLastSequence()) : 0;
			logger.warn("Durable '{}' of projector '{}' is gone; it is recreated after sequence {} of stream '{}'.",
					spec.name(), spec.projector(), floor, spec.stream());
			return management.addOrUpdateConsumer(spec.stream(), startingBehind(builder, floor));
		}
		logger.info("Durable '{}' of projector '{}' is created on stream '{}' with filter {}.", spec.name(),
				spec.projector(), spec.stream(), spec.filterSubjects());
		return management.addOrUpdateConsumer(spec.stream(), builder.build());
	}

	private static ConsumerConfiguration startingBehind(ConsumerConfiguration.Builder builder, long floor) {
		Map<String, String> metadata = new HashMap<>(metadata(builder.build()));
		metadata.put(PLACED, "behind-floor");
		return builder.deliverPolicy(DeliverPolicy.ByStartSequence).startSequence(floor + 1).metadata(metadata).build();
	}

	private static Map<String, String> metadata(@Nullable ConsumerConfiguration configuration) {
		Map<String, String> metadata = (configuration != null) ? configuration.getMetadata() : null;
		return (metadata != null) ? metadata : Map.of();
	}

	/**
	 * The required configuration. Properties that the SDK does not set are copied from
	 * the existing durable.
	 */
	private static ConsumerConfiguration wanted(DurableSpec spec, @Nullable ConsumerConfiguration existing) {
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
			.filterSubjects(new ArrayList<>(SubjectFilters.minimal(spec.filterSubjects())))
			.ackWait(spec.ackWait())
			.maxAckPending(spec.maxAckPending())
			.maxDeliver(UNLIMITED)
			.backoff(new Duration[0])
			.build();
	}

	private static void refuseForeign(DurableSpec spec, ConsumerConfiguration existing) {
		String owner = metadata(existing).get(SCHEMA);
		if (spec.schema() != null && owner != null && !owner.equals(spec.schema())) {
			throw new ForeignDurableException(spec, owner);
		}
	}

	private static void refuseUnchangeable(DurableSpec spec, ConsumerConfiguration existing) {
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

	private static ConsumerInfo update(JetStreamManagement management, DurableSpec spec, ConsumerInfo existing)
			throws IOException, JetStreamApiException {
		ConsumerConfiguration actual = existing.getConsumerConfiguration();
		List<String> drift = drift(spec, actual);
		if (drift.isEmpty()) {
			return existing;
		}
		logger.info("Durable '{}' of projector '{}' is updated: {}.", spec.name(), spec.projector(), drift);
		return management.addOrUpdateConsumer(spec.stream(), wanted(spec, actual));
	}

	private static List<String> drift(DurableSpec spec, ConsumerConfiguration actual) {
		List<String> drift = new ArrayList<>();
		Set<String> filters = filters(actual);
		addDrift(drift, "filterSubjects", filters, SubjectFilters.minimal(spec.filterSubjects()));
		addDrift(drift, "ackWait", actual.getAckWait(), spec.ackWait());
		addDrift(drift, "maxAckPending", actual.getMaxAckPending(), (long) spec.maxAckPending());
		addDrift(drift, "maxDeliver", actual.getMaxDeliver(), (long) UNLIMITED);
		addDrift(drift, "backoff", List.copyOf(actual.getBackoff()), List.of());
		if (spec.schema() != null) {
			addDrift(drift, SCHEMA, metadata(actual).get(SCHEMA), spec.schema());
		}
		return drift;
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

	/**
	 * Resets the durable to a sequence, so that all later events are delivered again in
	 * stream order.
	 * @return whether this was done; false if it would lose events, which are then
	 * redelivered after their ack wait
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean rewind(DurableSpec spec, long floor) {
		JetStreamManagement management = this.client.management();
		try {
			ConsumerInfo existing = info(management, spec);
			if (existing != null) {
				refuseForeign(spec, existing.getConsumerConfiguration());
			}
			if (existing != null && canReset(existing)) {
				management.resetConsumer(spec.stream(), spec.name(), floor + 1);
				return true;
			}
			if (!keepsWhatIsSettled(management, spec)) {
				return false; // the server deletes an event once no consumer waits for it
			}
			if (existing != null) {
				management.deleteConsumer(spec.stream(), spec.name());
			}
			management.addOrUpdateConsumer(spec.stream(),
					startingBehind(ConsumerConfiguration.builder(wanted(spec, null)), floor));
			return true;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "reset to sequence " + floor, ex);
		}
	}

	/**
	 * Whether the stream keeps settled events, so that they can be read again.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public boolean keepsWhatIsSettled(DurableSpec spec) {
		try {
			return keepsWhatIsSettled(this.client.management(), spec);
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "looked up", ex);
		}
	}

	private static boolean keepsWhatIsSettled(JetStreamManagement management, DurableSpec spec)
			throws IOException, JetStreamApiException {
		return management.getStreamInfo(spec.stream())
			.getConfiguration()
			.getRetentionPolicy() == RetentionPolicy.Limits;
	}

	/**
	 * The server supports a reset since 2.14, but not for durables that started with the
	 * next event.
	 */
	private boolean canReset(ConsumerInfo existing) {
		DeliverPolicy policy = existing.getConsumerConfiguration().getDeliverPolicy();
		return (policy == DeliverPolicy.All || policy == DeliverPolicy.ByStartSequence)
				&& this.client.connection().getServerInfo().isSameOrNewerThanVersion(RESET_SINCE);
	}

	private DurableState state(DurableSpec spec, ConsumerInfo info) throws IOException, JetStreamApiException {
		StreamInfo stream = this.client.management().getStreamInfo(spec.stream());
		// Server 2.10 reports 0 as long as there are no events after the start of a
		// durable.
		long floor = Math.max(info.getAckFloor().getStreamSequence(),
				info.getConsumerConfiguration().getStartSequence() - 1);
		return new DurableState(
				new DurableState.StreamState(spec.stream(), created(stream), stream.getStreamState().getLastSequence()),
				floor, info.getDelivered().getStreamSequence(), info.getDelivered().getConsumerSequence(),
				info.getNumAckPending(), info.getNumPending(), (int) info.getNumWaiting());
	}

	/**
	 * When the stream stored the first event after a sequence that the durable delivers,
	 * or null if there is none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public @Nullable Instant firstBehind(DurableSpec spec, long sequence) {
		try {
			Instant first = null;
			for (String subject : spec.filterSubjects()) {
				StoredMessages.Stored found = this.messages.next(spec.stream(), sequence + 1, subject);
				if (found != null && (first == null || found.storedAt().isBefore(first))) {
					first = found.storedAt();
				}
			}
			return first;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "read after sequence " + sequence, ex);
		}
	}

	/**
	 * The sequence before the first event of a subject that the stream holds, or the
	 * highest number if it holds none.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public long beforeFirst(DurableSpec spec, String subject) {
		try {
			StoredMessages.Stored first = this.messages.next(spec.stream(), 1, subject);
			return (first != null) ? first.sequence() - 1 : Long.MAX_VALUE;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "searched for subject '" + subject + "'", ex);
		}
	}

	/**
	 * The creation time and maximum age of the durable's stream.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public StreamLife life(DurableSpec spec) {
		try {
			StreamInfo stream = this.client.management().getStreamInfo(spec.stream());
			Duration maxAge = stream.getConfiguration().getMaxAge();
			return new StreamLife(created(stream), (maxAge != null) ? maxAge : Duration.ZERO);
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure(spec, "looked up", ex);
		}
	}

	/** Truncated to microseconds, as the database stores it. */
	private static Instant created(StreamInfo stream) {
		return stream.getCreateTime().toInstant().truncatedTo(ChronoUnit.MICROS);
	}

	private static @Nullable ConsumerInfo info(JetStreamManagement management, DurableSpec spec)
			throws IOException, JetStreamApiException {
		try {
			return management.getConsumerInfo(spec.stream(), spec.name());
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	private static RuntimeException failure(DurableSpec spec, String what, Exception cause) {
		return JetStreamErrors.translate(
				"Durable '" + spec.name() + "' of projector '" + spec.projector() + "' cannot be " + what, cause);
	}

	/**
	 * The creation time and maximum age of a stream.
	 *
	 * @param created when it was created
	 * @param maxAge how long it keeps an event; zero means without limit
	 */
	public record StreamLife(Instant created, Duration maxAge) {
	}

	/**
	 * The saved position of a projector.
	 *
	 * @param floor the stream sequence up to which all events were settled
	 * @param streamCreated when that stream was created
	 */
	public record SavedFloor(long floor, Instant streamCreated) {
	}

}
