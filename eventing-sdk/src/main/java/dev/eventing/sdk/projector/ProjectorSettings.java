package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What one place says about a projector: an annotation, a property for one projector, or
 * the defaults. Null means that this place says nothing.
 *
 * @param deliverPolicy where a new projector begins
 * @param maxDeliver how often an event's handler is tried before it is a dead letter
 * @param ackWait how long the server waits for a settlement or a sign of life
 * @param maxAckPending how many deliveries may be unsettled at once
 * @param batchSize the most events in one transaction
 * @param concurrency how many lanes work side by side
 * @param ordering what order is kept
 * @param unknownType what happens to events no handler takes
 * @param retryDelay the delay after the first failed attempt
 * @param retryMultiplier by what the delay grows with each further attempt, at least 1
 * @param retryMaxDelay the longest delay
 * @param retryFor only these exceptions are retried; empty means all
 * @param noRetryFor these exceptions are never retried
 * @param key a SpEL expression over the event that gives the ordering key
 * @param source where its events are read
 * @param deadLetters what becomes of its dead letters
 * @param maxInFlightBytes how many bytes the events it holds at once may have
 * @param stalledAfter after how long without a settled event it is
 * {@link ProjectorState#STALLED} while there is work
 * @param newHandlers what a handler gets of the events that were passed over before
 */
public record ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Integer maxDeliver,
		@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
		@Nullable Integer concurrency, @Nullable Ordering ordering, @Nullable UnknownTypePolicy unknownType,
		@Nullable Duration retryDelay, @Nullable Double retryMultiplier, @Nullable Duration retryMaxDelay,
		@Nullable Set<Class<? extends Throwable>> retryFor, @Nullable Set<Class<? extends Throwable>> noRetryFor,
		@Nullable String key, @Nullable Source source, @Nullable DeadLetterSettings deadLetters,
		@Nullable Long maxInFlightBytes, @Nullable Duration stalledAfter, @Nullable NewHandlersPolicy newHandlers) {

	/** Says nothing. */
	public static final ProjectorSettings NONE = new ProjectorSettings(null, null, null, null, null, null, null, null,
			null, null, null, null, null, null, null, null, null, null, null);

	/** An {@code INHERIT} says nothing, so it is null. */
	public ProjectorSettings {
		deliverPolicy = (deliverPolicy != DeliverPolicy.INHERIT) ? deliverPolicy : null;
		ordering = (ordering != Ordering.INHERIT) ? ordering : null;
		unknownType = (unknownType != UnknownTypePolicy.INHERIT) ? unknownType : null;
		source = (source != Source.INHERIT) ? source : null;
		newHandlers = (newHandlers != NewHandlersPolicy.INHERIT) ? newHandlers : null;
		deadLetters = DeadLetterSettings.NONE.equals(deadLetters) ? null : deadLetters;
	}

	/** Says nothing about dead letters, bytes, stalls and new handlers. */
	public ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Integer maxDeliver,
			@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
			@Nullable Integer concurrency, @Nullable Ordering ordering, @Nullable UnknownTypePolicy unknownType,
			@Nullable Duration retryDelay, @Nullable Double retryMultiplier, @Nullable Duration retryMaxDelay,
			@Nullable Set<Class<? extends Throwable>> retryFor, @Nullable Set<Class<? extends Throwable>> noRetryFor,
			@Nullable String key, @Nullable Source source) {
		this(deliverPolicy, maxDeliver, ackWait, maxAckPending, batchSize, concurrency, ordering, unknownType,
				retryDelay, retryMultiplier, retryMaxDelay, retryFor, noRetryFor, key, source, null, null, null, null);
	}

	/** Says nothing about the source, dead letters, bytes, stalls and new handlers. */
	public ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Integer maxDeliver,
			@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
			@Nullable Integer concurrency, @Nullable Ordering ordering, @Nullable UnknownTypePolicy unknownType,
			@Nullable Duration retryDelay, @Nullable Double retryMultiplier, @Nullable Duration retryMaxDelay,
			@Nullable Set<Class<? extends Throwable>> retryFor, @Nullable Set<Class<? extends Throwable>> noRetryFor,
			@Nullable String key) {
		this(deliverPolicy, maxDeliver, ackWait, maxAckPending, batchSize, concurrency, ordering, unknownType,
				retryDelay, retryMultiplier, retryMaxDelay, retryFor, noRetryFor, key, null);
	}

	/** The same, with this source. */
	public ProjectorSettings withSource(Source other) {
		return new ProjectorSettings(this.deliverPolicy, this.maxDeliver, this.ackWait, this.maxAckPending,
				this.batchSize, this.concurrency, this.ordering, this.unknownType, this.retryDelay,
				this.retryMultiplier, this.retryMaxDelay, this.retryFor, this.noRetryFor, this.key, other,
				this.deadLetters, this.maxInFlightBytes, this.stalledAfter, this.newHandlers);
	}

	/** The same, with these settings of dead letters. */
	public ProjectorSettings withDeadLetters(DeadLetterSettings other) {
		return new ProjectorSettings(this.deliverPolicy, this.maxDeliver, this.ackWait, this.maxAckPending,
				this.batchSize, this.concurrency, this.ordering, this.unknownType, this.retryDelay,
				this.retryMultiplier, this.retryMaxDelay, this.retryFor, this.noRetryFor, this.key, this.source, other,
				this.maxInFlightBytes, this.stalledAfter, this.newHandlers);
	}

	/** The same, with this bound of bytes. */
	public ProjectorSettings withMaxInFlightBytes(long other) {
		return new ProjectorSettings(this.deliverPolicy, this.maxDeliver, this.ackWait, this.maxAckPending,
				this.batchSize, this.concurrency, this.ordering, this.unknownType, this.retryDelay,
				this.retryMultiplier, this.retryMaxDelay, this.retryFor, this.noRetryFor, this.key, this.source,
				this.deadLetters, other, this.stalledAfter, this.newHandlers);
	}

	/** The same, stalled after so long without a settled event. */
	public ProjectorSettings withStalledAfter(Duration other) {
		return new ProjectorSettings(this.deliverPolicy, this.maxDeliver, this.ackWait, this.maxAckPending,
				this.batchSize, this.concurrency, this.ordering, this.unknownType, this.retryDelay,
				this.retryMultiplier, this.retryMaxDelay, this.retryFor, this.noRetryFor, this.key, this.source,
				this.deadLetters, this.maxInFlightBytes, other, this.newHandlers);
	}

	/** The same, with this policy for new handlers. */
	public ProjectorSettings withNewHandlers(NewHandlersPolicy other) {
		return new ProjectorSettings(this.deliverPolicy, this.maxDeliver, this.ackWait, this.maxAckPending,
				this.batchSize, this.concurrency, this.ordering, this.unknownType, this.retryDelay,
				this.retryMultiplier, this.retryMaxDelay, this.retryFor, this.noRetryFor, this.key, this.source,
				this.deadLetters, this.maxInFlightBytes, this.stalledAfter, other);
	}

	/** These settings, and where they say nothing, those. */
	public ProjectorSettings orElse(ProjectorSettings those) {
		return new ProjectorSettings(first(this.deliverPolicy, those.deliverPolicy),
				first(this.maxDeliver, those.maxDeliver), first(this.ackWait, those.ackWait),
				first(this.maxAckPending, those.maxAckPending), first(this.batchSize, those.batchSize),
				first(this.concurrency, those.concurrency), first(this.ordering, those.ordering),
				first(this.unknownType, those.unknownType), first(this.retryDelay, those.retryDelay),
				first(this.retryMultiplier, those.retryMultiplier), first(this.retryMaxDelay, those.retryMaxDelay),
				first(this.retryFor, those.retryFor), first(this.noRetryFor, those.noRetryFor),
				first(this.key, those.key), first(this.source, those.source),
				(this.deadLetters != null && those.deadLetters != null) ? this.deadLetters.orElse(those.deadLetters)
						: first(this.deadLetters, those.deadLetters),
				first(this.maxInFlightBytes, those.maxInFlightBytes), first(this.stalledAfter, those.stalledAfter),
				first(this.newHandlers, those.newHandlers));
	}

	private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
		return (one != null) ? one : other;
	}

}
