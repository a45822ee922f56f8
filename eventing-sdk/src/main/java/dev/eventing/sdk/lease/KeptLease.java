package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A lease for work that one node at a time does. This node takes it when it is free, and
 * keeps it until it is lost or released. One thread takes and releases it. Any thread may
 * read it.
 */
public final class KeptLease {

	/** How often a node that stands by asks for the lease, per duration of the lease. */
	private static final int TRIES_PER_DURATION = 5;

	/** By then the database regards as expired what has just expired. */
	private static final Duration EXPIRED = Duration.ofMillis(5);

	private final Leases leases;

	private final String name;

	private volatile @Nullable Lease held;

	/**
	 * Does not access the database yet.
	 * @param leases the leases of this node
	 * @param name the name of the lease
	 */
	public KeptLease(Leases leases, String name) {
		this.leases = leases;
		this.name = name;
	}

	/**
	 * Returns the lease. Tries once to take it if this node does not hold it.
	 * @return null if another node holds it
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public @Nullable Lease take() {
		Lease current = this.held;
		if (current == null || current.isLost()) {
			this.held = null;
			current = this.leases.tryAcquire(this.name);
			this.held = current;
		}
		return current;
	}

	/**
	 * Takes the lease if it is free. Returns whether work under the lease may begin now:
	 * this node holds it, and it was renewed in time.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public boolean takeForWork() {
		Lease current = take();
		return current != null && current.isCurrent();
	}

	/**
	 * The lease that this node took last, or null if there is none. It may be lost.
	 */
	public @Nullable Lease held() {
		return this.held;
	}

	/**
	 * The current or last owner, as far as this node knows. Empty if it never had an
	 * owner.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Optional<LeaseHolder> holder() {
		return this.leases.holder(this.name);
	}

	/**
	 * How long a node that stands by waits before it asks for the lease again: a fifth of
	 * the duration, or until the lease of an owner that does not renew it expires.
	 */
	public Duration retryAfter() {
		Duration usual = this.leases.duration().dividedBy(TRIES_PER_DURATION);
		Duration left = (this.held == null) ? this.leases.left(this.name) : null;
		return (left != null && left.compareTo(usual) < 0) ? left.plus(EXPIRED) : usual;
	}

	/** Releases the lease, so that another node can take it at once. */
	public void release() {
		Lease current = this.held;
		if (current != null) {
			current.release();
			this.held = null;
		}
	}

}
