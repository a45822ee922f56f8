package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease that this node has acquired. It is renewed in the background until it is
 * released or lost. Thread-safe.
 *
 * <p>
 * While the database is unreachable, no node can renew the lease or take it over. The
 * lease is not lost then, only not {@link #isCurrent() current}. Work that two nodes must
 * not do at the same time belongs in a transaction that begins with
 * {@link #requireOwned()}.
 */
public final class Lease {

	private static final Logger logger = LoggerFactory.getLogger(Lease.class);

	private final Keeper keeper;

	private final String name;

	private final Grant grant;

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> silenceListeners = new CopyOnWriteArrayList<>();

	/** Whether the silence listeners were called since the last renewal. */
	private volatile boolean silent;

	/** By {@link System#nanoTime}, which continues while the process is frozen. */
	private volatile long currentUntil;

	private volatile boolean over;

	private volatile boolean lost;

	Lease(Keeper keeper, String name, Grant grant, long currentUntil) {
		this.keeper = keeper;
		this.name = name;
		this.grant = grant;
		this.currentUntil = currentUntil;
	}

	public String name() {
		return this.name;
	}

	/**
	 * Increases with each acquisition, also when the same node acquires the lease again.
	 */
	public long epoch() {
		return this.grant.epoch();
	}

	Grant grant() {
		return this.grant;
	}

	/** The name of this node. */
	public String owner() {
		return this.keeper.node();
	}

	/**
	 * Ensures, inside the caller's transaction, that this node owns the lease, and that
	 * no other node acquires it before the transaction ends. A node that takes over waits
	 * for the transaction, and terminates its connection if the transaction does not end
	 * in time.
	 * @throws LeaseLostException if another node owns the lease; the caller must roll
	 * back
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public void requireOwned() {
		if (this.over || !this.keeper.holdEpoch(this.name, this.grant)) {
			lose();
			throw new LeaseLostException("Lease '" + this.name + "' of epoch " + epoch()
					+ " no longer belongs to this node; the new owner continues its work.");
		}
	}

	/** Whether the lease was lost or released. This is final. */
	public boolean isLost() {
		return this.over;
	}

	/**
	 * Whether the lease was renewed within its duration, by this node's clock. Becomes
	 * false when the process is frozen for longer than the duration, and true again after
	 * the next renewal. While it is false, another node may own the lease. Does not
	 * access the database.
	 */
	public boolean isCurrent() {
		return !this.over && System.nanoTime() - this.currentUntil < 0;
	}

	/**
	 * Adds a listener that is called, on any thread, when the lease is lost; immediately
	 * if it is lost already. It is not called when the lease is released. It must return
	 * quickly and not throw.
	 */
	public void onLost(Runnable listener) {
		this.listeners.add(listener);
		if (this.lost) {
			listener.run();
		}
	}

	/**
	 * Adds a listener that is called, on any thread, when the lease has not been current
	 * for a whole lease duration because the database does not answer. It is called once
	 * until the next renewal. It must return quickly and not throw.
	 */
	public void onSilence(Runnable listener) {
		this.silenceListeners.add(listener);
	}

	/**
	 * Releases the lease, so that another node can acquire it immediately. If the
	 * database does not answer, the lease expires instead.
	 */
	public void release() {
		if (end()) {
			this.keeper.released(this);
		}
	}

	/** Records a renewal by a statement that was sent at this time. */
	void renewed(long sentAt, Duration duration) {
		this.currentUntil = sentAt + duration.toNanos();
		this.silent = false;
	}

	/** Records that the database did not answer a renewal. */
	void notRenewed(Duration duration) {
		if (!this.over && !this.silent && System.nanoTime() - this.currentUntil > duration.toNanos()) {
			this.silent = true;
			this.silenceListeners.forEach(Runnable::run);
		}
	}

	/**
	 * Ends the lease without access to the database and without calling listeners.
	 * Returns false if it had ended before.
	 */
	synchronized boolean end() {
		boolean news = !this.over;
		this.over = true;
		return news;
	}

	/** Records that another node owns the lease. */
	void lose() {
		synchronized (this) {
			if (this.over) {
				return;
			}
			this.over = true;
			this.lost = true;
		}
		logger.warn("Lease '{}' of epoch {} is lost: another node owns it now.", this.name, epoch());
		this.keeper.lost(this);
		this.listeners.forEach(Runnable::run);
	}

	@Override
	public String toString() {
		return "Lease[" + this.name + ", epoch " + epoch() + "]";
	}

	/** Where a lease belongs, and what it asks there. */
	interface Keeper {

		/** The name of this node. */
		String node();

		/**
		 * Locks the epoch until the transaction ends, so that a new owner waits. Returns
		 * false if the lease has another grant now.
		 */
		boolean holdEpoch(String name, Grant grant);

		void released(Lease lease);

		void lost(Lease lease);

	}

}
