package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease this node has been given. It is renewed in the background until it is released
 * or lost. Thread-safe.
 *
 * <p>
 * While the database is away nobody can renew it and nobody can take it over: it is not
 * lost by that, only not {@link #isCurrent() current}. What must not be done by two nodes
 * is done in a transaction that begins with {@link #requireOwned()}.
 */
public final class Lease {

	private static final Logger logger = LoggerFactory.getLogger(Lease.class);

	private final Leases leases;

	private final String name;

	private final Grant grant;

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private final List<Runnable> silenceListeners = new CopyOnWriteArrayList<>();

	/** Whether they were told since it was renewed last. */
	private volatile boolean silent;

	/** By {@link System#nanoTime}, which also runs while the process is frozen. */
	private volatile long currentUntil;

	private volatile boolean over;

	private volatile boolean lost;

	Lease(Leases leases, String name, Grant grant, long currentUntil) {
		this.leases = leases;
		this.name = name;
		this.grant = grant;
		this.currentUntil = currentUntil;
	}

	public String name() {
		return this.name;
	}

	/** Grows with each new owner, also when the same node gets the lease again. */
	public long epoch() {
		return this.grant.epoch();
	}

	Grant grant() {
		return this.grant;
	}

	/** This node, as others see it. */
	public String owner() {
		return this.leases.node();
	}

	/**
	 * Makes sure, inside the caller's transaction, that this node still owns the lease,
	 * and that no other node gets it before that transaction ends. A node that takes over
	 * waits for it, and ends its connection if it does not come to an end.
	 * @throws LeaseLostException if another node owns the lease; then roll back
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public void requireOwned() {
		if (this.over || !this.leases.holdEpoch(this.name, this.grant)) {
			lose();
			throw new LeaseLostException("Lease '" + this.name + "' of epoch " + epoch()
					+ " belongs to this node no more; what it was doing is left to the new owner.");
		}
	}

	/** Whether it was lost for good, or released. */
	public boolean isLost() {
		return this.over;
	}

	/**
	 * Whether the lease was renewed within its duration, by this node's own clock. False
	 * after the process stood still for so long, until the lease has been renewed: then
	 * another node may own it already. Asks nobody.
	 */
	public boolean isCurrent() {
		return !this.over && System.nanoTime() - this.currentUntil < 0;
	}

	/**
	 * Is told, on any thread, when the lease is lost, or at once if it was. Not told when
	 * it is released. Must return soon and not throw.
	 */
	public void onLost(Runnable listener) {
		this.listeners.add(listener);
		if (this.lost) {
			listener.run();
		}
	}

	/**
	 * Is told, on any thread, when the lease has not been current for as long as it lasts
	 * because the database does not answer, once until it is renewed again. Must return
	 * soon and not throw.
	 */
	public void onSilence(Runnable listener) {
		this.silenceListeners.add(listener);
	}

	/**
	 * Gives the lease back, so that another node gets it at once. If the database cannot
	 * be told the lease expires by itself.
	 */
	public void release() {
		if (end()) {
			this.leases.released(List.of(this));
		}
	}

	/** It was renewed by a statement that was sent at this time. */
	void renewed(long sentAt, Duration duration) {
		this.currentUntil = sentAt + duration.toNanos();
		this.silent = false;
	}

	/** The database was asked to renew it and did not. */
	void notRenewed(Duration duration) {
		if (!this.over && !this.silent && System.nanoTime() - this.currentUntil > duration.toNanos()) {
			this.silent = true;
			this.silenceListeners.forEach(Runnable::run);
		}
	}

	/**
	 * Ends it without telling the database, or listeners; returns whether that is news.
	 */
	synchronized boolean end() {
		boolean news = !this.over;
		this.over = true;
		return news;
	}

	/** Another node has it. */
	void lose() {
		synchronized (this) {
			if (this.over) {
				return;
			}
			this.over = true;
			this.lost = true;
		}
		logger.warn("Lease '{}' of epoch {} is lost: another node owns it now.", this.name, epoch());
		this.leases.forget(this);
		this.listeners.forEach(Runnable::run);
	}

	@Override
	public String toString() {
		return "Lease[" + this.name + ", epoch " + epoch() + "]";
	}

}
