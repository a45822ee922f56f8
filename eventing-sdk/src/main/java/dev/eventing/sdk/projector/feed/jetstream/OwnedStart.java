package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of the node that owns a projector. It keeps the order of events, so it waits
 * until nothing is on its way to another process, and reads again what a former owner had
 * not settled.
 */
final class OwnedStart extends StreamStart {

	private static final Logger logger = LoggerFactory.getLogger(OwnedStart.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private final FencedTransactions transactions;

	private final JdbcAttempts attempts;

	private final CountDownLatch stopping;

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	/**
	 * Earlier owners may have settled events up to here, in any order. The end of the
	 * stream when this node began to read it.
	 */
	private long metBefore = Long.MAX_VALUE;

	OwnedStart(FeedContext context, JdbcPositions positions, Coverage coverage) {
		super(context, positions, coverage, new DeliverySequence(true));
		this.transactions = context.transactions();
		this.attempts = context.attempts();
		this.stopping = context.stopping();
	}

	@Override
	PreviousOwnerState previousOwner() {
		return this.previousOwner;
	}

	/** Everything in memory is invalid then, and the projector is given up. */
	@Override
	boolean isSetBack(String stream) {
		try {
			this.floor.look(stream);
		}
		catch (SetBackException ex) {
			throw this.transactions.giveUp(ex);
		}
		return false;
	}

	@Override
	boolean othersWatch(Saved saved) {
		return false;
	}

	@Override
	boolean hasOtherFilter() {
		DurableSpec last = spec();
		DurableState standing = (last != null) ? this.durables.find(last) : null;
		return standing != null && standing.filteredOtherwise();
	}

	/**
	 * While another filter holds, the floor passes over events that were not delivered.
	 * So it is not saved, and the durable is rewound to what was saved before.
	 */
	@Override
	void requireUnchanged(@Nullable DurableState standing) {
		if (standing != null && standing.filteredOtherwise()) {
			setChangedByHand();
			throw new DurableGoneException("Durable '" + this.endpoint.durableName() + "' on stream '"
					+ standing.stream() + "' has another filter than the projector set.");
		}
		super.requireUnchanged(standing);
	}

	/**
	 * The server may not know yet that a connection is closed. Then it still sends
	 * deliveries to it, which are lost, and which no later request would show as missing.
	 */
	@Override
	DurableState awaitEndOfRequests(DurableSpec wanted, DurableState reconciled) throws InterruptedException {
		DurableState standing = reconciled;
		long deadline = System.nanoTime() + DurablePull.EXPIRES.toNanos();
		while (standing.requests() > 0 && System.nanoTime() < deadline) {
			if (this.stopping.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
				break;
			}
			DurableState later = this.durables.find(wanted);
			standing = (later != null) ? later : standing;
		}
		return standing;
	}

	@Override
	long readsBehind(CoveragePlan plan) {
		return Math.max(plan.from(), plan.settledTo());
	}

	@Override
	boolean endsAtNewerEvents() {
		return true;
	}

	/** This node alone settles events. */
	@Override
	long missed(DurableSpec wanted) {
		return CoveragePlan.NO_EVENT;
	}

	@Override
	void beginsToRead(DurableState standing, CoveragePlan plan) {
		this.metBefore = standing.lastInStream();
	}

	@Override
	void beginsIncarnation() {
		this.previousOwner = new PreviousOwnerState(0, 0, this.previousOwner.waiting());
	}

	/** Reads what the previous owner left, once after a start or a takeover. */
	@Override
	boolean meets(DurableState standing, long from, boolean cleanStop) {
		long suspectUpTo = (standing.unsettled() > 0 && !cleanStop) ? standing.delivered() : 0;
		this.previousOwner = PreviousOwnerState.of(standing.floor(),
				Math.max(suspectUpTo, this.previousOwner.suspectUpTo()), this.attempts.waiting());
		this.deliveries.restartAfter(standing.delivered());
		if (standing.unsettled() > 0) {
			logger.info("Projector '{}' finds {} unsettled deliveries{}. It continues after sequence {}.",
					this.endpoint.name(), standing.unsettled(),
					cleanStop ? "" : " of a process that did not stop cleanly", from);
		}
		return standing.unsettled() > 0;
	}

	@Override
	@Nullable DurableState save(DurableSpec current, boolean cleanStop) {
		DurableState standing = whole(current, cleanStop);
		if (standing != null && (cleanStop || !this.floor.isSavedLately(standing))) {
			isSetBack(current.stream());
			this.floor.save(standing, cleanStop);
		}
		return standing;
	}

	@Override
	@Nullable Long settledTo() {
		DurableSpec current = spec();
		if (current == null || this.lostTail.isNoticed()) {
			return null;
		}
		long arrived = this.deliveries.arrived();
		// Deliveries that were given back when reading ended come after the settled ones.
		DurableState standing = SettlingDurable.find(this.durables, current, (state) -> state.floor() < arrived);
		if (standing == null || standing.floor() < arrived || standing.isAheadOfItsStream()
				|| !this.stream.isReadBy(standing)) {
			return null;
		}
		boolean metAll = standing.floor() >= metUpTo() || (standing.pending() == 0 && standing.unsettled() == 0);
		return metAll ? (Long) standing.floor() : null;
	}

	/**
	 * Events may be settled up to here. After a rewind, this node reads again what it had
	 * applied.
	 */
	private long metUpTo() {
		EventPlace latest = this.deliveries.latest();
		return (latest != null) ? Math.max(this.metBefore, latest.sequence()) : this.metBefore;
	}

}
