package dev.eventing.sdk.projector.redrive;

import java.util.function.Function;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;

/**
 * The right to run the dead letters of a projector. One node has it at a time: the
 * projector's owner, or the holder of a separate lease if nodes compete for events. For
 * one thread.
 */
public final class RedriveLease {

	/** Null if the projector's owner has the right. */
	private final @Nullable KeptLease lease;

	private final Function<ProjectorLease, RedriveRunner> factory;

	private @Nullable ProjectorLease right;

	private @Nullable RedriveRunner runner;

	private RedriveLease(@Nullable KeptLease lease, Function<ProjectorLease, RedriveRunner> factory) {
		this.lease = lease;
		this.factory = factory;
	}

	/** Creates a right that nobody has: letters wait. */
	public static RedriveLease none(Function<ProjectorLease, RedriveRunner> factory) {
		return new RedriveLease(null, factory);
	}

	/** Creates a right that ends with the ownership of the projector. */
	public static RedriveLease ofOwner(ProjectorLease owned, Function<ProjectorLease, RedriveRunner> factory) {
		RedriveLease lease = new RedriveLease(null, factory);
		lease.right = owned;
		return lease;
	}

	/** Creates a right that the holder of the projector's redrive lease has. */
	public static RedriveLease ofLease(ProjectorId projector, Leases leases,
			Function<ProjectorLease, RedriveRunner> factory) {
		return new RedriveLease(new KeptLease(leases, projector.redriveLease()), factory);
	}

	/**
	 * Returns the runner of the letters, or null while another node has the right.
	 * @throws org.springframework.dao.DataAccessException if the lease cannot be
	 * requested
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

	/** Releases the separate lease. An owner's right ends with the ownership. */
	void giveUp() {
		if (this.lease != null && this.right != null) {
			this.right.release();
			this.lease.release();
		}
	}

}
