package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The settings of a projector in one place: its annotation, its properties, the defaults,
 * or code. Null means that this place does not set the value. This record is where a
 * setting is declared: its name is that of the property and of the attribute, and its
 * description is that of the property. {@link ProjectorOptions} has no null. Created with
 * {@link #builder()}.
 *
 * @param deliverPolicy Where a projector that has never run starts in its stream.
 * @param maxDeliver Number of attempts before an event becomes a dead letter.
 * @param ackWait How long the server waits for a settlement or a sign of progress.
 * @param maxAckPending Maximum number of unsettled deliveries.
 * @param batchSize Maximum number of events in one transaction.
 * @param concurrency Number of lanes that work in parallel, each for some of the keys.
 * @param ordering Which order of the events is kept.
 * @param unknownType What happens to an event without a handler.
 * @param retryDelay Delay before the second attempt.
 * @param retryMultiplier Factor by which the delay grows with each further attempt.
 * @param retryMaxDelay Longest delay before another attempt.
 * @param retryFor Classes of exceptions that are retried. Empty means all.
 * @param noRetryFor Classes of exceptions that lead to a dead letter at the first
 * attempt.
 * @param onRepeatedFailure What happens when the first events since a start all fail for
 * one reason, and none succeeds.
 * @param repeatedFailures Number of different events that must fail for that.
 * @param key SpEL expression over the event that returns the ordering key. By default the
 * key of the event itself.
 * @param source From where the events are read.
 * @param deadLetters what happens to its dead letters
 * @param maxInFlightBytes Maximum size of the events in flight, as on the wire.
 * @param stalledAfter How long nothing may be settled, and no handler called, while there
 * is work, before the projector's health is down.
 * @param newHandlers Whether a new handler receives earlier events that were skipped
 * because they had no handler.
 * @param tenancy Whether a transaction may have events of several tenants.
 */
public record ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Integer maxDeliver,
		@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
		@Nullable Integer concurrency, @Nullable Ordering ordering, @Nullable UnknownTypePolicy unknownType,
		@Nullable Duration retryDelay, @Nullable Double retryMultiplier, @Nullable Duration retryMaxDelay,
		@Nullable Set<Class<? extends Throwable>> retryFor, @Nullable Set<Class<? extends Throwable>> noRetryFor,
		@Nullable RepeatedFailurePolicy onRepeatedFailure, @Nullable Integer repeatedFailures, @Nullable String key,
		@Nullable Source source, DeadLetters deadLetters, @Nullable DataSize maxInFlightBytes,
		@Nullable Duration stalledAfter, @Nullable NewHandlersPolicy newHandlers, @Nullable Tenancy tenancy) {

	/** Sets nothing. */
	public static final ProjectorSettings NONE = builder().build();

	/**
	 * The built-in values. The key and the tenancy have none, and that of the parking
	 * depends on the order. 32 MiB of events fit several times into a heap of 128 MiB as
	 * objects.
	 */
	public static final ProjectorSettings BUILT_IN = builder().deliverPolicy(DeliverPolicy.ALL)
		.maxDeliver(3)
		.ackWait(Duration.ofSeconds(30))
		.maxAckPending(4000)
		.batchSize(1000)
		.concurrency(2)
		.ordering(Ordering.PER_KEY)
		.unknownType(UnknownTypePolicy.SKIP)
		.retryDelay(Duration.ofSeconds(1))
		.retryMultiplier(2.0)
		.retryMaxDelay(Duration.ofMinutes(1))
		.retryFor(Set.of())
		.noRetryFor(Set.of())
		.onRepeatedFailure(RepeatedFailurePolicy.PAUSE)
		.repeatedFailures(20)
		.source(Source.JETSTREAM)
		.deadLetters(new DeadLetters(null, 1000, Set.of(), Duration.ofMinutes(1), 5))
		.maxInFlightBytes(32L << 20)
		.stalledAfter(Duration.ofMinutes(5))
		.newHandlers(NewHandlersPolicy.REWIND)
		.build();

	/** Replaces {@code INHERIT} by null, because it sets nothing. */
	public ProjectorSettings {
		deliverPolicy = RecordValues.unlessInherited(deliverPolicy);
		ordering = RecordValues.unlessInherited(ordering);
		unknownType = RecordValues.unlessInherited(unknownType);
		retryFor = RecordValues.copy(retryFor);
		noRetryFor = RecordValues.copy(noRetryFor);
		onRepeatedFailure = RecordValues.unlessInherited(onRepeatedFailure);
		source = RecordValues.unlessInherited(source);
		// A binder that finds none of them passes null.
		deadLetters = (deadLetters != null) ? deadLetters : DeadLetters.NONE;
		newHandlers = RecordValues.unlessInherited(newHandlers);
		tenancy = RecordValues.unlessInherited(tenancy);
	}

	/**
	 * Creates settings from a place that has them by name, such as an annotation.
	 * @param values returns the value of a setting by its name and type, or null if the
	 * place does not set it; also for each setting of dead letters
	 */
	public static ProjectorSettings of(BiFunction<String, Class<?>, @Nullable Object> values) {
		return RecordValues.create(ProjectorSettings.class, (name, type) -> (type == DeadLetters.class)
				? RecordValues.create(DeadLetters.class, values) : values.apply(name, type));
	}

	/** Creates a builder that sets nothing yet. */
	public static Builder builder() {
		return new Builder(Map.of());
	}

	/** Creates a builder with these settings. */
	public Builder toBuilder() {
		return new Builder(RecordValues.of(this));
	}

	/** Returns these settings. Values that they do not set come from the others. */
	public ProjectorSettings orElse(ProjectorSettings those) {
		return RecordValues.merge(this, those);
	}

	/** Adds what is out of range by itself. {@link ProjectorOptions} checks the rest. */
	void addProblems(List<String> problems) {
		atLeast(problems, "maxDeliver", this.maxDeliver, 1);
		atLeast(problems, "repeatedFailures", this.repeatedFailures, 1);
		notNegative(problems, "retryDelay", this.retryDelay);
		if (this.retryMultiplier != null && this.retryMultiplier < 1) {
			problems.add("'retryMultiplier' must be at least 1, was " + this.retryMultiplier);
		}
		if (this.retryDelay != null && this.retryMaxDelay != null
				&& this.retryMaxDelay.compareTo(this.retryDelay) < 0) {
			problems.add("'retryMaxDelay' must not be shorter than 'retryDelay' (" + this.retryDelay + "), was "
					+ this.retryMaxDelay);
		}
		atLeast(problems, "maxAckPending", this.maxAckPending, 1);
		atLeast(problems, "batchSize", this.batchSize, 1);
		atLeast(problems, "concurrency", this.concurrency, 1);
		atLeast(problems, "maxInFlightBytes", (this.maxInFlightBytes != null) ? this.maxInFlightBytes.toBytes() : null,
				1);
		if (this.ackWait != null && this.ackWait.toMillis() < 1000) {
			problems.add("'ackWait' must be at least 1000 ms, was " + this.ackWait.toMillis() + " ms");
		}
		if (this.stalledAfter != null && this.stalledAfter.toMillis() < 1) {
			problems.add("'stalledAfter' must be at least 1 ms, was " + this.stalledAfter);
		}
	}

	private static void atLeast(List<String> problems, String name, @Nullable Number value, long least) {
		if (value != null && value.longValue() < least) {
			problems.add("'" + name + "' must be at least " + least + ", was " + value);
		}
	}

	private static void notNegative(List<String> problems, String name, @Nullable Duration value) {
		if (value != null && value.isNegative()) {
			problems.add("'" + name + "' must not be negative, was " + value);
		}
	}

	/**
	 * The settings of a projector's dead letters in one place. Null means that this place
	 * does not set the value.
	 *
	 * @param parking What happens to later events of a dead letter's key. By default they
	 * are parked if order is kept.
	 * @param parkingLimit Maximum number of open dead letters of a key. Beyond it, later
	 * events wait instead of being parked.
	 * @param redriveFor Classes of exceptions whose dead letters are redriven
	 * automatically.
	 * @param redriveDelay Delay before the first automatic redrive. Doubles with each
	 * one, up to one hour.
	 * @param redriveLimit Maximum number of automatic redrives of a dead letter.
	 */
	public record DeadLetters(@Nullable Parking parking, @Nullable Integer parkingLimit,
			@Nullable Set<Class<? extends Throwable>> redriveFor, @Nullable Duration redriveDelay,
			@Nullable Integer redriveLimit) {

		/** Sets nothing. */
		public static final DeadLetters NONE = new DeadLetters(null, null, null, null, null);

		/** Replaces {@code INHERIT} by null, because it sets nothing. */
		public DeadLetters {
			parking = RecordValues.unlessInherited(parking);
			redriveFor = RecordValues.copy(redriveFor);
		}

		/** Sets only what happens to later events of a dead letter's key. */
		public static DeadLetters of(Parking parking) {
			return new DeadLetters(parking, null, null, null, null);
		}

		void addProblems(List<String> problems) {
			atLeast(problems, "parkingLimit", this.parkingLimit, 1);
			notNegative(problems, "redriveDelay", this.redriveDelay);
			if (this.redriveLimit != null && this.redriveLimit < 0) {
				problems.add("'redriveLimit' must not be negative, was " + this.redriveLimit);
			}
		}

	}

	/**
	 * Builds settings. Each method sets the setting of its name, and null removes it. Not
	 * thread-safe.
	 */
	public static final class Builder {

		private final Map<String, Object> values;

		private Builder(Map<String, Object> values) {
			this.values = new HashMap<>(values);
		}

		public Builder deliverPolicy(@Nullable DeliverPolicy deliverPolicy) {
			return set("deliverPolicy", deliverPolicy);
		}

		public Builder maxDeliver(@Nullable Integer maxDeliver) {
			return set("maxDeliver", maxDeliver);
		}

		public Builder ackWait(@Nullable Duration ackWait) {
			return set("ackWait", ackWait);
		}

		public Builder maxAckPending(@Nullable Integer maxAckPending) {
			return set("maxAckPending", maxAckPending);
		}

		public Builder batchSize(@Nullable Integer batchSize) {
			return set("batchSize", batchSize);
		}

		public Builder concurrency(@Nullable Integer concurrency) {
			return set("concurrency", concurrency);
		}

		public Builder ordering(@Nullable Ordering ordering) {
			return set("ordering", ordering);
		}

		public Builder unknownType(@Nullable UnknownTypePolicy unknownType) {
			return set("unknownType", unknownType);
		}

		public Builder retryDelay(@Nullable Duration retryDelay) {
			return set("retryDelay", retryDelay);
		}

		public Builder retryMultiplier(@Nullable Double retryMultiplier) {
			return set("retryMultiplier", retryMultiplier);
		}

		public Builder retryMaxDelay(@Nullable Duration retryMaxDelay) {
			return set("retryMaxDelay", retryMaxDelay);
		}

		public Builder retryFor(@Nullable Set<Class<? extends Throwable>> retryFor) {
			return set("retryFor", retryFor);
		}

		public Builder noRetryFor(@Nullable Set<Class<? extends Throwable>> noRetryFor) {
			return set("noRetryFor", noRetryFor);
		}

		public Builder onRepeatedFailure(@Nullable RepeatedFailurePolicy onRepeatedFailure) {
			return set("onRepeatedFailure", onRepeatedFailure);
		}

		public Builder repeatedFailures(@Nullable Integer repeatedFailures) {
			return set("repeatedFailures", repeatedFailures);
		}

		public Builder key(@Nullable String key) {
			return set("key", key);
		}

		public Builder source(@Nullable Source source) {
			return set("source", source);
		}

		public Builder deadLetters(@Nullable DeadLetters deadLetters) {
			return set("deadLetters", deadLetters);
		}

		public Builder maxInFlightBytes(@Nullable Long maxInFlightBytes) {
			return set("maxInFlightBytes", (maxInFlightBytes != null) ? DataSize.ofBytes(maxInFlightBytes) : null);
		}

		public Builder stalledAfter(@Nullable Duration stalledAfter) {
			return set("stalledAfter", stalledAfter);
		}

		public Builder newHandlers(@Nullable NewHandlersPolicy newHandlers) {
			return set("newHandlers", newHandlers);
		}

		public Builder tenancy(@Nullable Tenancy tenancy) {
			return set("tenancy", tenancy);
		}

		private Builder set(String name, @Nullable Object value) {
			if (value != null) {
				this.values.put(name, value);
			}
			else {
				this.values.remove(name);
			}
			return this;
		}

		/** Returns the settings. */
		public ProjectorSettings build() {
			return RecordValues.create(ProjectorSettings.class, (name, type) -> this.values.get(name));
		}

	}

}
