package dev.eventing.sdk.projector;

import java.util.function.Function;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import org.jspecify.annotations.Nullable;

/**
 * The right to run the dead letters of a projector, which one node has at a time: the
 * projector's owner, or where nodes compete, the one that holds a lease for it. For one
 * thread.
 */
final class RedriveRight {

	private final String leaseName;

	/** Null where the projector's owner has the right. */
	private final @Nullable Leases leases;

	private final Function<Tenure, Redrives> factory;

	private @Nullable Tenure tenure;

	private @Nullable Redrives redrives;

	private RedriveRight(String projector, @Nullable Leases leases, Function<Tenure, Redrives> factory) {
		this.leaseName = "redrive/" + projector;
		this.leases = leases;
		this.factory = factory;
	}

	/** It comes and goes with the ownership of the projector. */
	static RedriveRight ofOwner(String projector, Tenure tenure, Function<Tenure, Redrives> factory) {
		RedriveRight right = new RedriveRight(projector, null, factory);
		right.tenure = tenure;
		return right;
	}

	/** Whoever gets the lease has it. */
	static RedriveRight ofLease(String projector, Leases leases, Function<Tenure, Redrives> factory) {
		return new RedriveRight(projector, leases, factory);
	}

	/**
	 * What runs the letters, or null while another node has the right.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	@Nullable Redrives redrives() {
		Tenure current = this.tenure;
		if (this.leases != null && (current == null || current.isOver())) {
			Lease lease = this.leases.tryAcquire(this.leaseName);
			current = (lease != null) ? Tenure.of(lease) : null;
			this.tenure = current;
			this.redrives = null;
		}
		if (current == null || current.isOver()) {
			return null;
		}
		if (this.redrives == null) {
			this.redrives = this.factory.apply(current);
		}
		return this.redrives;
	}

	/** Lets another node have it; an owner's goes with the projector. */
	void giveUp() {
		if (this.leases != null && this.tenure != null) {
			this.tenure.release();
		}
	}

}
