package dev.eventing.sdk.projector.redrive;

import java.util.function.Function;

import dev.eventing.sdk.lease.KeptLease;
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

	/** Null where the projector's owner has the right. */
	private final @Nullable KeptLease lease;

	private final Function<ProjectorLease, RedriveRunner> factory;

	private @Nullable ProjectorLease right;

	private @Nullable RedriveRunner runner;

	private RedriveLease(@Nullable KeptLease lease, Function<ProjectorLease, RedriveRunner> factory) {
		this.lease = lease;
		this.factory = factory;
	}

	/** It comes and goes with the ownership of the projector. */
	public static RedriveLease ofOwner(ProjectorLease owned, Function<ProjectorLease, RedriveRunner> factory) {
		RedriveLease lease = new RedriveLease(null, factory);
		lease.right = owned;
		return lease;
	}

	/** The node that gets the lease {@code redrive/<projector>} has it. */
	public static RedriveLease ofLease(String projector, Leases leases,
			Function<ProjectorLease, RedriveRunner> factory) {
		return new RedriveLease(new KeptLease(leases, "redrive/" + projector), factory);
	}

	/**
	 * Returns what runs the letters, or null while another node has the right.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	@Nullable RedriveRunner runner() {
		ProjectorLease current = this.right;
		if (this.lease != null && (current == null || current.isOver())) {
			Lease taken = this.lease.take();
			current = (taken != null) ? ProjectorLease.of(taken) : null;
			this.right = current;
			this.runner = null;
		}
		if (current == null || current.isOver()) {
			return null;
		}
		if (this.runner == null) {
			this.runner = this.factory.apply(current);
		}
		return this.runner;
	}

	/** Lets another node have it; an owner's goes with the projector. */
	void giveUp() {
		if (this.lease != null && this.right != null) {
			this.right.release();
			this.lease.release();
		}
	}

}
