package dev.eventing.sdk.projector.feed.jetstream;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rewinds a projector's durable, so that it delivers events again in stream order, or
 * waits for the ack wait if it cannot be rewound. For the thread of the intake.
 */
final class Rewinds {

	private static final Logger logger = LoggerFactory.getLogger(Rewinds.class);

	private final ProjectorId projector;

	private final ProjectorLease projectorLease;

	private final Durables durables;

	private final DeliverySequence deliveries;

	private boolean quiet;

	private long quietUntil;

	/**
	 * Has rewound nothing yet.
	 * @param deliveries continues after the sequence to which the durable was rewound
	 */
	Rewinds(ProjectorId projector, ProjectorLease projectorLease, Durables durables, DeliverySequence deliveries) {
		this.projector = projector;
		this.projectorLease = projectorLease;
		this.durables = durables;
		this.deliveries = deliveries;
	}

	/**
	 * Whether nothing may be pulled yet, because deliveries to another process must be
	 * redelivered first.
	 */
	boolean isQuiet() {
		this.quiet = this.quiet && System.nanoTime() - this.quietUntil < 0;
		return this.quiet;
	}

	/**
	 * Rewinds the durable, so that it delivers the events after a sequence again. If that
	 * would lose events, nothing may be pulled for one ack wait instead.
	 * @return the state of the durable afterwards
	 */
	DurableState rewind(DurableSpec wanted, DurableState standing, long floor) {
		this.projectorLease.requireCurrent();
		if (this.durables.rewind(wanted, floor)) {
			this.deliveries.restartAfter(floor);
		}
		else {
			if (floor < standing.floor()) {
				logger.warn("Projector '{}' cannot read the events after sequence {} of stream '{}' again.",
						this.projector, floor, wanted.stream());
			}
			// after the ack wait, unsettled deliveries are redelivered before new ones
			this.quietUntil = System.nanoTime() + wanted.ackWait().toNanos();
			this.quiet = true;
		}
		DurableState after = this.durables.find(wanted);
		return (after != null) ? after : standing;
	}

	/**
	 * Rewinds the durable to its floor if deliveries did not arrive here, so that they
	 * come again in order.
	 * @return the state of the durable afterwards
	 */
	DurableState fetchMissed(DurableSpec wanted, DurableState standing) {
		if (!this.deliveries.isBehind(standing)) {
			return standing;
		}
		logger.info("Projector '{}' missed deliveries up to sequence {}. It continues after sequence {}.",
				this.projector, standing.delivered(), standing.floor());
		return rewind(wanted, standing, standing.floor());
	}

}
