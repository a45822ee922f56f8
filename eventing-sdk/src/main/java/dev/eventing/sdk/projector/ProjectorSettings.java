package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What one place says about a projector: an annotation, the properties of one projector,
 * or the defaults. Null means that this place says nothing. Made with {@link #builder()}.
 *
 * @param deliverPolicy where a new projector begins
 * @param source where its events are read
 * @param unknownType what happens to events that no handler takes
 * @param newHandlers what a handler gets of the events that were passed over before
 * @param order which order is kept, and by what
 * @param flow how much it takes at once, and how long it may take
 * @param retry how often and when a failed event is tried again
 * @param deadLetters what becomes of its dead letters
 */
public record ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Source source,
		@Nullable UnknownTypePolicy unknownType, @Nullable NewHandlersPolicy newHandlers, Order order, Flow flow,
		Retry retry, DeadLetterSettings deadLetters) {

	/** Says nothing. */
	public static final ProjectorSettings NONE = new ProjectorSettings(null, null, null, null, Order.NONE, Flow.NONE,
			Retry.NONE, DeadLetterSettings.NONE);

	/** An {@code INHERIT} says nothing, so it is null. */
	public ProjectorSettings {
		deliverPolicy = (deliverPolicy != DeliverPolicy.INHERIT) ? deliverPolicy : null;
		source = (source != Source.INHERIT) ? source : null;
		unknownType = (unknownType != UnknownTypePolicy.INHERIT) ? unknownType : null;
		newHandlers = (newHandlers != NewHandlersPolicy.INHERIT) ? newHandlers : null;
	}

	/** Begins with settings that say nothing. */
	public static ProjectorSettingsBuilder builder() {
		return new ProjectorSettingsBuilder(NONE);
	}

	/** Begins with these settings. */
	public ProjectorSettingsBuilder toBuilder() {
		return new ProjectorSettingsBuilder(this);
	}

	/** These settings, and where they say nothing, those. */
	public ProjectorSettings orElse(ProjectorSettings those) {
		return new ProjectorSettings(first(this.deliverPolicy, those.deliverPolicy), first(this.source, those.source),
				first(this.unknownType, those.unknownType), first(this.newHandlers, those.newHandlers),
				this.order.orElse(those.order), this.flow.orElse(those.flow), this.retry.orElse(those.retry),
				this.deadLetters.orElse(those.deadLetters));
	}

	private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
		return (one != null) ? one : other;
	}

	/**
	 * Which order is kept, and by what. Null means that this place says nothing.
	 *
	 * @param ordering what order is kept
	 * @param key a SpEL expression over the event that gives the ordering key
	 */
	public record Order(@Nullable Ordering ordering, @Nullable String key) {

		/** Says nothing. */
		public static final Order NONE = new Order(null, null);

		/** An {@code INHERIT} says nothing, so it is null. */
		public Order {
			ordering = (ordering != Ordering.INHERIT) ? ordering : null;
		}

		Order orElse(Order those) {
			return new Order(first(this.ordering, those.ordering), first(this.key, those.key));
		}

	}

	/**
	 * How much a projector takes at once, and how long it may take. Null means that this
	 * place says nothing.
	 *
	 * @param ackWait how long the server waits for a settlement or a sign of life
	 * @param maxAckPending how many deliveries may be unsettled at once
	 * @param batchSize the most events in one transaction
	 * @param concurrency how many lanes work side by side
	 * @param maxInFlightBytes how many bytes the events in flight may have
	 * @param stalledAfter after how long without a settled event it is
	 * {@link ProjectorState#STALLED} while there is work
	 */
	public record Flow(@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
			@Nullable Integer concurrency, @Nullable Long maxInFlightBytes, @Nullable Duration stalledAfter) {

		/** Says nothing. */
		public static final Flow NONE = new Flow(null, null, null, null, null, null);

		Flow orElse(Flow those) {
			return new Flow(first(this.ackWait, those.ackWait), first(this.maxAckPending, those.maxAckPending),
					first(this.batchSize, those.batchSize), first(this.concurrency, those.concurrency),
					first(this.maxInFlightBytes, those.maxInFlightBytes), first(this.stalledAfter, those.stalledAfter));
		}

	}

	/**
	 * How often and when a failed event is tried again. Null means that this place says
	 * nothing.
	 *
	 * @param maxDeliver how often the handler is tried before the event is a dead letter
	 * @param delay the delay after the first failed attempt
	 * @param multiplier by what the delay grows with each further attempt, at least 1
	 * @param maxDelay the longest delay
	 * @param retryFor only these exceptions are retried; empty means all
	 * @param noRetryFor these exceptions are never retried
	 */
	public record Retry(@Nullable Integer maxDeliver, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Set<Class<? extends Throwable>> retryFor,
			@Nullable Set<Class<? extends Throwable>> noRetryFor) {

		/** Says nothing. */
		public static final Retry NONE = new Retry(null, null, null, null, null, null);

		Retry orElse(Retry those) {
			return new Retry(first(this.maxDeliver, those.maxDeliver), first(this.delay, those.delay),
					first(this.multiplier, those.multiplier), first(this.maxDelay, those.maxDelay),
					first(this.retryFor, those.retryFor), first(this.noRetryFor, those.noRetryFor));
		}

	}

}
