package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.LeaseHolder;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.rebuild.NotFedException;
import dev.eventing.sdk.projector.rebuild.UnfinishedRebuildException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * This node as a candidate for a projector's lease: requests it, and knows and logs why
 * the node does not run the projector. For one thread; the state is for any.
 */
final class Candidate {

	private static final Logger logger = LoggerFactory.getLogger(Candidate.class);

	private final ProjectorId projector;

	/** Is released through the {@link ProjectorLease} made of it. */
	private final KeptLease lease;

	private final CurrentState state;

	private final FedElsewhere elsewhere = new FedElsewhere();

	Candidate(ProjectorId projector, Leases leases) {
		this.projector = projector;
		this.lease = new KeptLease(leases, projector.lease());
		this.state = new CurrentState(projector);
	}

	/** Why this node does not run the projector. */
	CurrentState.Entry state() {
		return this.state.get();
	}

	/** Whether this node may request the lease now. */
	boolean mayRequest() {
		return this.elsewhere.mayTake();
	}

	/** How long to wait between two requests. */
	Duration retryAfter() {
		return this.lease.retryAfter();
	}

	/**
	 * Requests the lease once. Returns null if another node holds it or no answer came.
	 */
	@Nullable ProjectorLease request() {
		try {
			Lease taken = this.lease.take();
			if (taken != null) {
				return ProjectorLease.of(taken);
			}
			standBy(this.lease.holder());
		}
		catch (DataAccessException | TransactionException ex) {
			waits(ex);
		}
		return null;
	}

	private void standBy(Optional<LeaseHolder> holder) {
		if (this.elsewhere.isDoubtful(holder)) {
			return;
		}
		String owner = holder.map(Candidate::describe).orElse("no node owns it yet");
		if (this.state.is(ProjectorState.STANDBY, owner)) {
			logger.info("Projector '{}' stands by: {}.", this.projector, owner);
		}
	}

	private static String describe(LeaseHolder holder) {
		return "node '" + holder.owner() + "' owns it since " + holder.acquiredAt();
	}

	/** The projector runs on this node. */
	void runs() {
		this.elsewhere.isFed();
	}

	/** The projector stops to start again under the same lease. */
	void restarts() {
		this.state.is(ProjectorState.STARTING, "a request of an operator for its read model begins or ends");
	}

	/** The database does not answer, or its tables cannot be used. */
	void waits(RuntimeException cause) {
		this.state.away(cause);
	}

	/**
	 * The projector ends on this node.
	 * @param newer why it is left to a node with newer code; null if another node may own
	 * it now
	 */
	void ends(@Nullable String newer) {
		if (newer == null) {
			lost();
			return;
		}
		this.elsewhere.leave();
		if (this.state.is(ProjectorState.WAITING_FOR_NEWER_CODE, newer)) {
			logger.warn("Projector '{}' waits for a node with newer code: {}", this.projector, newer);
		}
	}

	private void lost() {
		logger.warn("Projector '{}' does not belong to this node any more. The node stands by.", this.projector);
		this.state.is(ProjectorState.STANDBY, "the lease was lost");
	}

	/**
	 * This node does not have the code that feeds the generation. Leaves the lease to
	 * nodes that have it. If there are none, an operator must start one.
	 * @param mustBeFed whether it is a failure if no node feeds it
	 */
	void cannotFeed(NotFedException cause, boolean mustBeFed) {
		String why = String.valueOf(cause.getMessage());
		if (!this.elsewhere.isMissed()) {
			this.state.is(ProjectorState.STANDBY, why);
		}
		else if (mustBeFed && this.state.is(ProjectorState.FAILED, why + " No node feeds it.")) {
			logger.error("Projector '{}' is not fed by any node. {}", this.projector, why);
		}
	}

	/** A rebuild emptied the read model, and cannot continue. */
	void cannotStart(UnfinishedRebuildException cause) {
		if (this.state.is(ProjectorState.FAILED, String.valueOf(cause.getMessage()))) {
			logger.error("Projector '{}' cannot start: {}", this.projector, cause.getMessage());
		}
	}

}
