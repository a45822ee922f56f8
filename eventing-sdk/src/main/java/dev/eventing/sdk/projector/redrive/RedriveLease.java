package dev.eventing.sdk.projector.redrive;

import java.util.function.Function;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

/**
 * The right to run the dead letters of a projector, which one node has at a time: the
 * projector's owner, or where nodes compete, the one that holds a lease for it. For one
 * thread.
 */
public final class RedriveLease {

	private final String leaseName;

	/** Null where the projector's owner has the right. */
	private final @Nullable Leases leases;

	private final Function<ProjectorLease, RedriveRunner> factory;

	private @Nullable ProjectorLease projectorLease;

	private @Nullable RedriveRunner redrives;

	private RedriveLease(String projector, @Nullable Leases leases, Function<ProjectorLease, RedriveRunner> factory) {
		this.leaseName = "redrive/" + projector;
		this.leases = leases;
		this.factory = factory;
	}

	/** It comes and goes with the ownership of the projector. */
	public static RedriveLease ofOwner(String projector, ProjectorLease projectorLease,
			Function<ProjectorLease, RedriveRunner> factory) {
		RedriveLease right = new RedriveLease(projector, null, factory);
		right.projectorLease = projectorLease;
		return right;
	}

	/** Whoever gets the lease has it. */
	public static RedriveLease ofLease(String projector, Leases leases,
			Function<ProjectorLease, RedriveRunner> factory) {
		return new RedriveLease(projector, leases, factory);
	}

	/**
	 * What runs the letters, or null while another node has the right.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	@Nullable RedriveRunner redrives() {
		ProjectorLease current = this.projectorLease;
		if (this.leases != null && (current == null || current.isOver())) {
			Lease lease = this.leases.tryAcquire(this.leaseName);
			current = (lease != null) ? ProjectorLease.of(lease) : null;
			this.projectorLease = current;
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
		if (this.leases != null && this.projectorLease != null) {
			this.projectorLease.release();
		}
	}

}
