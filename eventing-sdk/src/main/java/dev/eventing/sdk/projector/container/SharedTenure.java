package dev.eventing.sdk.projector.container;

import java.time.Duration;

import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.rebuild.Adoption;
import dev.eventing.sdk.projector.rebuild.Rebuilder;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Nodes compete for the events of a projector, and none owns it. */
final class SharedTenure implements Tenure {

	private static final Logger logger = LoggerFactory.getLogger(SharedTenure.class);

	private final ProjectorEndpoint endpoint;

	private final ProjectorRuns runs;

	private final ProjectorLease lease;

	private final Rebuilder rebuilder;

	private final Adoption adoption;

	private volatile @Nullable RunningProjector running;

	SharedTenure(ProjectorEndpoint endpoint, ProjectorRuns runs) {
		this.endpoint = endpoint;
		this.runs = runs;
		this.lease = ProjectorLease.shared(runs.services().leases());
		this.rebuilder = new Rebuilder(endpoint, runs.services());
		this.adoption = new Adoption(endpoint, runs.services());
	}

	@Override
	public boolean start() throws InterruptedException {
		requireNoFilling();
		RunningProjector next = this.runs.create(this.endpoint, RunContext.live(this.lease, null, null, false, () -> {
		}));
		next.prepare();
		next.start();
		this.running = next;
		return true;
	}

	/**
	 * Nodes that compete for events cannot fill a read model, and must not continue with
	 * one that is half filled.
	 */
	private void requireNoFilling() {
		try {
			this.rebuilder.filling(this.lease);
		}
		catch (DataAccessException ex) {
			logger.debug("Projector '{}' starts while the database does not answer.", this.endpoint.name(), ex);
		}
	}

	@Override
	public void stop(Duration drain) throws InterruptedException {
		RunningProjector current = this.running;
		if (current != null) {
			this.running = null;
			current.stop(drain);
		}
	}

	/** Refuses what is requested: it needs an owner. */
	@Override
	public void look() {
		try {
			this.rebuilder.serve(this.lease, null);
			this.adoption.serve(this.lease, null);
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("A request for projector '{}' cannot be refused now.", this.endpoint.name(), ex);
		}
	}

	@Override
	public ProjectorStatus status() {
		RunningProjector current = this.running;
		return (current != null) ? current.status(null) : this.runs.stopped(this.endpoint.name());
	}

	@Override
	public Behind behind() {
		return this.runs.behind(this.running);
	}

	@Override
	public @Nullable Stall stall() {
		RunningProjector current = this.running;
		return (current != null) ? current.stall() : null;
	}

}
