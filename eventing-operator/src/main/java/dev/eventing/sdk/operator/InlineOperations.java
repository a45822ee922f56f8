package dev.eventing.sdk.operator;

import java.util.Optional;
import java.util.function.Predicate;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;

/**
 * Handles HTTP requests about inline projectors: checks permissions and arguments, and
 * calls {@link InlineProjections}. Each call runs several transactions on the caller's
 * thread. Thread-safe.
 */
public final class InlineOperations {

	private final ProjectorOperations projectors;

	private final InlineProjections inline;

	/**
	 * Sends no query yet.
	 * @param projectors has the same permissions
	 */
	public InlineOperations(ProjectorOperations projectors, InlineProjections inline) {
		this.projectors = projectors;
		this.inline = inline;
	}

	/**
	 * What appends do for a projector; empty if it never was inline.
	 * @param tenant the tenant to whose scope the caller is bound, or null
	 */
	public Optional<InlineView> find(@Nullable String tenant, String name) {
		ProjectorOperations.scope(tenant);
		return this.inline.find(name).map((status) -> new InlineView(name, status));
	}

	/**
	 * Lets all appends skip an inline projector, until it is promoted.
	 * @throws WriteRefusedException if only looking is allowed
	 * @throws UnknownNameException if it never was inline
	 */
	public ProjectorChanged demote(ProjectorChange<ProjectorBody.Demote> change) {
		ProjectorOverview before = this.projectors.before(change);
		if (change.body().dryRun()) {
			return ProjectorOperations.changed(before, is(before, (status) -> status != InlineStatus.DEMOTED), true);
		}
		String reason = ProjectorOperations.required(change.body().reason(),
				"A \"reason\" is needed, for the audit. Consider what its handlers stop.");
		return ProjectorOperations.changed(before,
				this.inline.demote(before.name(), ProjectorOperations.actor(change), reason), false);
	}

	/**
	 * Lets a demoted projector become inline again.
	 * @throws WriteRefusedException if only looking is allowed
	 * @throws UnknownNameException if it never was inline
	 */
	public ProjectorChanged promote(ProjectorChange<ProjectorBody.Promote> change) {
		ProjectorOverview before = this.projectors.before(change);
		boolean dryRun = change.body().dryRun();
		boolean changed = dryRun ? is(before, (status) -> status == InlineStatus.DEMOTED)
				: this.inline.promote(before.name(), ProjectorOperations.actor(change), change.body().reason());
		return ProjectorOperations.changed(before, changed, dryRun);
	}

	/** Not if it never was inline. */
	private boolean is(ProjectorOverview projector, Predicate<InlineStatus> condition) {
		return this.inline.find(projector.name()).filter(condition).isPresent();
	}

}
