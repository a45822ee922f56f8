package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseLostException;
import dev.eventing.sdk.lease.Leases;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The time for which this node may run a projector: as long as it holds the projector's
 * lease, or always where nodes compete for events. Over once and for all. Thread-safe.
 */
public final class ProjectorLease {

	private final @Nullable Lease lease;

	private final Runnable watch;

	private volatile boolean over;

	private volatile Runnable onEnd = () -> {
	};

	private ProjectorLease(@Nullable Lease lease, Runnable watch) {
		this.lease = lease;
		this.watch = watch;
	}

	/** Nobody owns the projector: nodes compete for its events. */
	public static ProjectorLease shared(Leases leases) {
		return new ProjectorLease(null, leases.watch());
	}

	/** This node owns the projector as long as it holds the lease. */
	public static ProjectorLease of(Lease lease) {
		return new ProjectorLease(lease, lease::requireOwned);
	}

	/** Is told when it is over by itself. */
	public void onEnd(Runnable listener) {
		this.onEnd = listener;
		if (this.lease != null) {
			this.lease.onLost(listener);
		}
	}

	/**
	 * Is told, on any thread, when the database has not answered for so long that another
	 * node would have taken over.
	 */
	public void onSilence(Runnable listener) {
		if (this.lease != null) {
			this.lease.onSilence(listener);
		}
	}

	/**
	 * Makes sure, inside a transaction, that it lasts until that transaction ends.
	 * @throws LeaseLostException if it is over
	 */
	void require() {
		if (this.over) {
			throw new LeaseLostException("This node has given the projector up.");
		}
		this.watch.run();
	}

	public boolean isOver() {
		return this.over || (this.lease != null && this.lease.isLost());
	}

	/**
	 * Whether nobody else can have the projector, by this node's own clock. False after
	 * the process stood still, until the lease is renewed: until then nothing may be sent
	 * that another owner would feel.
	 */
	public boolean isCurrent() {
		return !this.over && (this.lease == null || this.lease.isCurrent());
	}

	/**
	 * Makes sure that nobody else can have the projector.
	 * @throws DataAccessResourceFailureException if the database has not renewed the
	 * lease in time
	 */
	public void requireCurrent() {
		if (!isCurrent()) {
			throw new DataAccessResourceFailureException(
					"The lease of the projector was not renewed in time; the database did not answer.");
		}
	}

	/** Gives the projector up, because something is not as its owner left it. */
	public void end() {
		this.over = true;
		this.onEnd.run();
	}

	/** Lets another node have the projector at once. */
	public void release() {
		this.over = true;
		if (this.lease != null) {
			this.lease.release();
		}
	}

}
