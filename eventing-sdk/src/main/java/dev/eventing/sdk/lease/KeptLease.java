package dev.eventing.sdk.lease;

import org.jspecify.annotations.Nullable;

/**
 * The lease of work that one node does at a time: taken whenever it is free, and kept as
 * long as it lasts. One thread takes and releases it; any thread may look at it.
 */
public final class KeptLease {

	private final Leases leases;

	private final String name;

	private volatile @Nullable Lease held;

	/**
	 * Does not ask the database yet.
	 * @param leases gives the lease
	 * @param name the name of the lease
	 */
	public KeptLease(Leases leases, String name) {
		this.leases = leases;
		this.name = name;
	}

	/**
	 * The lease, or null while another node has it. Tries to take it if this node does
	 * not hold it, or has lost it.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
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
	 * Takes the lease if it is free.
	 * @return whether work under it may begin now: this node holds it, and it was renewed
	 * in time
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public boolean takeForWork() {
		Lease current = take();
		return current != null && current.isCurrent();
	}

	/** The lease as it was taken last, perhaps lost since; null if there is none. */
	public @Nullable Lease held() {
		return this.held;
	}

	/** Lets another node have it at once. */
	public void release() {
		Lease current = this.held;
		if (current != null) {
			current.release();
			this.held = null;
		}
	}

}
