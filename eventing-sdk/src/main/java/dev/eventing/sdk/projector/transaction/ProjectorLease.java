package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseLostException;
import dev.eventing.sdk.lease.Leases;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The right of this node to run a projector: as long as it holds the projector's lease,
 * or without limit if nodes compete for events. Once it is over, it does not come back.
 * Thread-safe.
 */
public final class ProjectorLease {

	private final @Nullable Lease lease;

	private final Runnable watch;

	private volatile boolean over;

	private volatile Runnable onEnd = () -> {
	};

	private volatile Runnable onSilence = () -> {
	};

	private ProjectorLease(@Nullable Lease lease, Runnable watch) {
		this.lease = lease;
		this.watch = watch;
	}

	/**
	 * Creates the right to a projector without an owner, where nodes compete for events.
	 */
	public static ProjectorLease shared(Leases leases) {
		return new ProjectorLease(null, leases.watch());
	}

	/** Creates the right to a projector that this node owns while it holds the lease. */
	public static ProjectorLease of(Lease lease) {
		ProjectorLease projectorLease = new ProjectorLease(lease, lease::requireOwned);
		lease.onSilence(() -> projectorLease.onSilence.run());
		return projectorLease;
	}

	/**
	 * Sets a listener that is called when the lease is lost or {@link #end} is called.
	 */
	public void onEnd(Runnable listener) {
		this.onEnd = listener;
		if (this.lease != null) {
			this.lease.onLost(listener);
		}
	}

	/**
	 * Sets the listener that is called, on any thread, when the database has not answered
	 * for so long that another node may have taken over. It replaces the one before.
	 */
	public void onSilence(Runnable listener) {
		this.onSilence = listener;
	}

	/**
	 * Makes sure that this node owns the projector until the current transaction ends.
	 * Call it inside the transaction.
	 * @throws LeaseLostException if the right is over
	 */
	void require() {
		if (this.over) {
			throw new LeaseLostException("This node has given the projector up.");
		}
		this.watch.run();
	}

	/** The epoch of the lease; 0 where nodes compete for events. */
	public long epoch() {
		return (this.lease != null) ? this.lease.epoch() : 0;
	}

	public boolean isOver() {
		return this.over || (this.lease != null && this.lease.isLost());
	}

	/**
	 * Whether no other node can own the projector, by this node's own clock. After the
	 * process was frozen, this is false until the lease is renewed. Meanwhile this node
	 * must not send anything that would affect another owner.
	 */
	public boolean isCurrent() {
		return !this.over && (this.lease == null || this.lease.isCurrent());
	}

	/**
	 * Makes sure that no other node can own the projector.
	 * @throws DataAccessResourceFailureException if the database has not renewed the
	 * lease in time
	 */
	public void requireCurrent() {
		if (!isCurrent()) {
			throw new DataAccessResourceFailureException(
					"The lease of the projector was not renewed in time, because the database did not answer.");
		}
	}

	/** Gives the projector up, because the stored state is not as this node left it. */
	public void end() {
		this.over = true;
		this.onEnd.run();
	}

	/** Releases the lease, so that another node can take over at once. */
	public void release() {
		this.over = true;
		if (this.lease != null) {
			this.lease.release();
		}
	}

}
