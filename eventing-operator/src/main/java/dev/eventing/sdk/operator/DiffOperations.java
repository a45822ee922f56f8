package dev.eventing.sdk.operator;

import java.time.Duration;
import java.util.concurrent.Semaphore;

import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.RequestRefusedException;

/**
 * Handles HTTP requests to compare the live generation of a read model with the one
 * beside it: checks permissions and arguments, and calls {@link Reconciliations}. A
 * comparison runs on the caller's thread, on a separate connection, and is stored like
 * the result of a check. Thread-safe.
 */
public final class DiffOperations {

	/** How long a comparison waits, if nothing else is said: callers wait with it. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(10);

	private final ProjectorOperations projectors;

	private final Projections projections;

	private final Reconciliations reconciliations;

	/** Each holds a thread of the web server, and reads whole tables. */
	private final Semaphore running = new Semaphore(1);

	/**
	 * Sends no query yet.
	 * @param projectors has the same permissions
	 */
	public DiffOperations(ProjectorOperations projectors, Projections projections, Reconciliations reconciliations) {
		this.projectors = projectors;
		this.projections = projections;
		this.reconciliations = reconciliations;
	}

	/**
	 * Compares the live generation with the one beside it, once both have settled the
	 * same events, and stores the result. A dry run only names the generation.
	 * @throws WriteRefusedException if only looking is allowed
	 * @throws RequestRefusedException if this node compares already
	 */
	public DiffView diff(ProjectorChange<ProjectorBody.Diff> change) {
		ProjectorOverview before = this.projectors.before(change);
		Duration patience = RequestTexts.duration("wait", change.body().patience());
		if (patience != null && (patience.isNegative() || patience.compareTo(LONGEST_PATIENCE) > 0)) {
			throw new InvalidRequestException(
					"\"wait\" must be between zero and " + LONGEST_PATIENCE.toMinutes() + " minutes. Consider 1m.");
		}
		if (change.body().dryRun()) {
			return DiffView.planned(before.name(), this.projections.generations(before.name()));
		}
		String actor = ProjectorOperations.actor(change);
		if (!this.running.tryAcquire()) {
			throw new RequestRefusedException(
					"This node compares two generations already. Consider asking again when that has ended.");
		}
		try {
			return DiffView.of(this.reconciliations.diff(before.name(), actor, change.body().reason(),
					(patience != null) ? patience : PATIENCE));
		}
		finally {
			this.running.release();
		}
	}

}
