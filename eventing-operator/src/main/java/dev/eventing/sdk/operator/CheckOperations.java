package dev.eventing.sdk.operator;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.projection.Checks;
import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;

/**
 * Handles HTTP requests about the checks of read models: checks permissions and
 * arguments, calls {@link Checks}, and returns the views that are sent. Each call runs
 * several transactions on the caller's thread. Thread-safe.
 */
public final class CheckOperations {

	private final ProjectorOperations projectors;

	private final Checks checks;

	/**
	 * Sends no query yet.
	 * @param projectors has the same permissions
	 */
	public CheckOperations(ProjectorOperations projectors, Checks checks) {
		this.projectors = projectors;
		this.checks = checks;
	}

	/**
	 * The last result of each check of a projector; empty if no projector of that name
	 * ever ran.
	 * @param tenant the tenant whose rows alone may be seen; null for all
	 */
	public Optional<CheckList> checks(@Nullable String tenant, String name) {
		String scope = ProjectorOperations.scope(tenant);
		return this.projectors.find(name)
			.map((found) -> new CheckList(
					this.checks.lastOfEach(name).stream().map((result) -> CheckView.of(result, scope)).toList()));
	}

	/**
	 * Requests that a node runs checks now, on the live generation or the one beside it.
	 * @throws WriteRefusedException if only looking is allowed
	 * @throws dev.eventing.sdk.projection.RequestRefusedException if the generation is
	 * not ready beside the live one
	 */
	public CheckRequested reconcile(ProjectorChange<ProjectorBody.Reconcile> change) {
		ProjectorBody.Reconcile body = change.body();
		ProjectorOverview before = this.projectors.before(change);
		Duration patience = ProjectionOperations.patience(body);
		UUID request = body.dryRun() ? null : request(before.name(), body, ProjectorOperations.actor(change), patience);
		return CheckRequested.of(before.name(), before.hasNode(), request, body.check());
	}

	private UUID request(String name, ProjectorBody.Reconcile body, String actor, Duration patience) {
		Integer beside = body.generation();
		return (beside != null) ? this.checks.requestBeside(name, beside, body.check(), actor, body.reason(), patience)
				: this.checks.request(name, body.check(), actor, body.reason(), patience);
	}

}
