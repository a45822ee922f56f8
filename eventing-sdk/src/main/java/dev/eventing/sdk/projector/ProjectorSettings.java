package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a projector in one place: an annotation, the properties of one
 * projector, or the defaults. Null means that this place does not set the value. Created
 * with {@link #builder()}.
 *
 * @param deliverPolicy where a new projector begins
 * @param source where it reads its events
 * @param unknownType what happens to events that no handler takes
 * @param newHandlers which skipped events a new handler gets
 * @param order the order, and the expression for the ordering key
 * @param flow how many events it takes at once, and its time limits
 * @param retry when and how many times a failed event is retried, and what happens if all
 * fail
 * @param deadLetters what happens to its dead letters
 */
public record ProjectorSettings(@Nullable DeliverPolicy deliverPolicy, @Nullable Source source,
		@Nullable UnknownTypePolicy unknownType, @Nullable NewHandlersPolicy newHandlers, Order order, Flow flow,
		Retry retry, DeadLetterSettings deadLetters) {

	/** Sets nothing. */
	public static final ProjectorSettings NONE = new ProjectorSettings(null, null, null, null, Order.NONE, Flow.NONE,
			Retry.NONE, DeadLetterSettings.NONE);

	/** Replaces {@code INHERIT} by null, because it sets nothing. */
	public ProjectorSettings {
		deliverPolicy = (deliverPolicy != DeliverPolicy.INHERIT) ? deliverPolicy : null;
		source = (source != Source.INHERIT) ? source : null;
		unknownType = (unknownType != UnknownTypePolicy.INHERIT) ? unknownType : null;
		newHandlers = (newHandlers != NewHandlersPolicy.INHERIT) ? newHandlers : null;
	}

	/** Creates a builder that sets nothing yet. */
	public static ProjectorSettingsBuilder builder() {
		return new ProjectorSettingsBuilder(NONE);
	}

	/** Creates a builder with these settings. */
	public ProjectorSettingsBuilder toBuilder() {
		return new ProjectorSettingsBuilder(this);
	}

	/** Returns these settings. Values that they do not set come from the others. */
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
	 * The order, and the expression for the ordering key. Null means that this place does
	 * not set the value.
	 *
	 * @param ordering the order
	 * @param key a SpEL expression over the event that returns the ordering key
	 */
	public record Order(@Nullable Ordering ordering, @Nullable String key) {

		/** Sets nothing. */
		public static final Order NONE = new Order(null, null);

		/** Replaces {@code INHERIT} by null, because it sets nothing. */
		public Order {
			ordering = (ordering != Ordering.INHERIT) ? ordering : null;
		}

		Order orElse(Order those) {
			return new Order(first(this.ordering, those.ordering), first(this.key, those.key));
		}

	}

	/**
	 * How many events a projector takes at once, and its time limits. Null means that
	 * this place does not set the value.
	 *
	 * @param ackWait how long the server waits for an ack or an in-progress signal
	 * @param maxAckPending the most deliveries that may be unsettled at once
	 * @param batchSize the most events in one transaction
	 * @param concurrency the number of lanes, which work in parallel
	 * @param maxInFlightBytes the most bytes of the events in flight
	 * @param stalledAfter the time without progress, while there is work, after which the
	 * projector is {@link ProjectorState#STALLED}
	 * @param tenancy whether a transaction may have events of several tenants
	 */
	public record Flow(@Nullable Duration ackWait, @Nullable Integer maxAckPending, @Nullable Integer batchSize,
			@Nullable Integer concurrency, @Nullable Long maxInFlightBytes, @Nullable Duration stalledAfter,
			@Nullable Tenancy tenancy) {

		/** Sets nothing. */
		public static final Flow NONE = new Flow(null, null, null, null, null, null, null);

		/** Replaces {@code INHERIT} by null, because it sets nothing. */
		public Flow {
			tenancy = (tenancy != Tenancy.INHERIT) ? tenancy : null;
		}

		Flow orElse(Flow those) {
			return new Flow(first(this.ackWait, those.ackWait), first(this.maxAckPending, those.maxAckPending),
					first(this.batchSize, those.batchSize), first(this.concurrency, those.concurrency),
					first(this.maxInFlightBytes, those.maxInFlightBytes), first(this.stalledAfter, those.stalledAfter),
					first(this.tenancy, those.tenancy));
		}

	}

	/**
	 * When and how many times a failed event is retried. Null means that this place does
	 * not set the value.
	 *
	 * @param maxDeliver the number of attempts before the event becomes a dead letter
	 * @param delay the delay after the first failed attempt
	 * @param multiplier the factor by which the delay grows with each further attempt, at
	 * least 1
	 * @param maxDelay the longest delay
	 * @param retryFor only these exceptions are retried; empty means all
	 * @param noRetryFor these exceptions are never retried
	 * @param onRepeatedFailure what happens if the first events all fail for one reason
	 * @param repeatedFailures how many different events these are
	 */
	public record Retry(@Nullable Integer maxDeliver, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Set<Class<? extends Throwable>> retryFor,
			@Nullable Set<Class<? extends Throwable>> noRetryFor, @Nullable RepeatedFailurePolicy onRepeatedFailure,
			@Nullable Integer repeatedFailures) {

		/** Sets nothing. */
		public static final Retry NONE = new Retry(null, null, null, null, null, null, null, null);

		/** Replaces {@code INHERIT} by null, because it sets nothing. */
		public Retry {
			onRepeatedFailure = (onRepeatedFailure != RepeatedFailurePolicy.INHERIT) ? onRepeatedFailure : null;
		}

		Retry orElse(Retry those) {
			return new Retry(first(this.maxDeliver, those.maxDeliver), first(this.delay, those.delay),
					first(this.multiplier, those.multiplier), first(this.maxDelay, those.maxDelay),
					first(this.retryFor, those.retryFor), first(this.noRetryFor, those.noRetryFor),
					first(this.onRepeatedFailure, those.onRepeatedFailure),
					first(this.repeatedFailures, those.repeatedFailures));
		}

	}

}
