package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.eventing.sdk.lease.LeaseHolder;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a generation to nodes that have the version of the code that feeds it, and
 * notices that there are none. For one thread.
 */
final class FedElsewhere {

	/** How long this node leaves the lease to others. */
	private static final Duration LEFT_TO_OTHERS = Duration.ofSeconds(1);

	/**
	 * The same if there seem to be no others, or only newer code can continue. Then an
	 * operator must act.
	 */
	private static final Duration LEFT_ALONE = Duration.ofSeconds(10);

	/** Nodes that stop and start need this long to hand a projector over. */
	private static final Duration HANDED_OVER_WITHIN = Duration.ofSeconds(10);

	/** By {@link System#nanoTime}. */
	private long nextTakeAt = System.nanoTime();

	/** Since when no node feeds it, by {@link System#nanoTime}; null if one does. */
	private @Nullable Long unfedSince;

	/** When the node that was found last to hold the lease took it. */
	private @Nullable Instant heldSince;

	/** Whether this node may take the lease now. */
	boolean mayTake() {
		return System.nanoTime() - this.nextTakeAt >= 0;
	}

	/**
	 * This node got the lease, and cannot feed the generation.
	 * @return whether that has lasted longer than nodes need to hand it over
	 */
	boolean isMissed() {
		long now = System.nanoTime();
		if (this.unfedSince == null) {
			this.unfedSince = now;
		}
		boolean missed = now - this.unfedSince > HANDED_OVER_WITHIN.toNanos();
		this.nextTakeAt = now + (missed ? LEFT_ALONE : LEFT_TO_OTHERS).toNanos();
		return missed;
	}

	/** This node got the lease, and met an event that it leaves to newer code. */
	void leave() {
		long now = System.nanoTime();
		this.unfedSince = now;
		this.nextTakeAt = now + LEFT_ALONE.toNanos();
	}

	/**
	 * Another node holds the lease.
	 * @return whether that node may have taken the lease just now, and cannot feed the
	 * generation either
	 */
	boolean isDoubtful(Optional<LeaseHolder> holder) {
		Instant since = holder.map(LeaseHolder::acquiredAt).orElse(null);
		boolean stays = since != null && since.equals(this.heldSince);
		this.heldSince = since;
		if (stays) {
			isFed();
		}
		return this.unfedSince != null;
	}

	/** A node feeds it. */
	void isFed() {
		this.unfedSince = null;
	}

}
