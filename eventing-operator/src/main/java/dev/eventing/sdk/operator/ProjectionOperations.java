package dev.eventing.sdk.operator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.Until;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * Handles HTTP requests about the read models of projectors: checks permissions and
 * arguments, calls {@link Projections}, and returns the views that are sent. Each call
 * runs several transactions on the caller's thread. Thread-safe.
 */
public final class ProjectionOperations {

	private final ProjectorOperations projectors;

	private final Projections projections;

	/**
	 * Sends no query yet.
	 * @param projectors has the same permissions
	 */
	public ProjectionOperations(ProjectorOperations projectors, Projections projections) {
		this.projectors = projectors;
		this.projections = projections;
	}

	/**
	 * The generations of a projector's read model, the newest first; empty if no
	 * projector of that name ever ran.
	 */
	public Optional<GenerationList> generations(@Nullable String tenant, String name) {
		boolean scoped = ProjectorOperations.scope(tenant) != null;
		return this.projectors.find(name)
			.map((found) -> new GenerationList(this.projections.generations(name)
				.stream()
				.map(GenerationView::of)
				.map((each) -> scoped ? each.withinATenant() : each)
				.toList()));
	}

	/** The last request for a projector's read model; empty if there was none. */
	public Optional<RequestView> lastRequest(@Nullable String tenant, String name) {
		boolean scoped = ProjectorOperations.scope(tenant) != null;
		return this.projections.lastRequest(name)
			.map(RequestView::of)
			.map((each) -> scoped ? each.withinATenant() : each);
	}

	/**
	 * Requests a rebuild: beside the live generation, in place, or of a part in place.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested rebuild(ProjectorChange<ProjectorBody.Rebuild> change) {
		ProjectorBody.Rebuild body = change.body();
		ScopedRebuild part = part(body);
		if (part != null) {
			return request(change, (name) -> What.part(part), (name, actor, reason, patience) -> this.projections
				.rebuildScope(name, part, new ProjectionRequest.By(actor, reason), patience));
		}
		BuildOptions limits = limits(body);
		return request(change, (name) -> body.inPlace() ? new What(Action.REBUILD_IN_PLACE, null) : What.build(limits),
				(name, actor, reason, patience) -> body.inPlace()
						? this.projections.rebuildInPlace(name, actor, reason, patience)
						: this.projections.rebuildBeside(name, limits, actor, reason, patience));
	}

	private static @Nullable ScopedRebuild part(ProjectorBody.Rebuild body) {
		ProjectorBody.Part part = body.part();
		if (part == null) {
			return null;
		}
		if (isSet(body.limits())) {
			throw new InvalidRequestException(
					"\"limits\" are for a build beside the live generation, and not for a \"part\" of the live one.");
		}
		try {
			RebuildScope scope = RebuildScope.of(part.tenant(), RequestTexts.elements("streams", part.streams()),
					RequestTexts.elements("letters", part.letters()), part.window());
			if (scope == null) {
				throw new InvalidRequestException("Nothing says which \"part\" is meant. Consider a \"tenant\","
						+ " \"streams\" of a tenant, \"letters\", or a \"window\".");
			}
			return (part.maxEvents() != null) ? new ScopedRebuild(scope, part.maxEvents()) : new ScopedRebuild(scope);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(String.valueOf(ex.getMessage()));
		}
	}

	private static boolean isSet(ProjectorBody.@Nullable Limits limits) {
		return limits != null && (limits.rate() != null || limits.maxSize() != null || limits.until() != null);
	}

	private static BuildOptions limits(ProjectorBody.Rebuild body) {
		ProjectorBody.Limits limits = body.limits();
		if (limits == null || !isSet(limits)) {
			return BuildOptions.DEFAULT;
		}
		if (body.inPlace()) {
			throw new InvalidRequestException("\"limits\" are for a build beside the live generation.");
		}
		String size = limits.maxSize();
		Until until = until(limits.until());
		try {
			return new BuildOptions(limits.rate(), (size != null) ? (Long) DataSize.parse(size).toBytes() : null,
					until);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(
					"The limits of a build are positive. Consider a \"rate\" of 1000, or a \"maxSize\" of 10GB.");
		}
	}

	private static @Nullable Until until(@Nullable String text) {
		try {
			return (text != null) ? Until.of(text) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Requests that a generation becomes live.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested switchTo(ProjectorChange<ProjectorBody.Switch> change) {
		ProjectorBody.Switch body = change.body();
		SwitchOptions options = new SwitchOptions(body.unchecked(), body.acceptLostColumns());
		return request(change, (name) -> What.switchTo(generation(body.generation()), options),
				(name, actor, reason, patience) -> this.projections.switchTo(name, generation(body.generation()),
						options, new ProjectionRequest.By(actor, reason), patience));
	}

	/**
	 * Requests that the generation becomes live again that was live before.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested rollback(ProjectorChange<ProjectorBody.Rollback> change) {
		SwitchOptions options = new SwitchOptions(false, change.body().acceptLostColumns());
		return request(change, (name) -> What.switchTo(former(name), options),
				(name, actor, reason, patience) -> this.projections.switchTo(name, former(name), options,
						new ProjectionRequest.By(actor, reason), patience));
	}

	private int former(String name) {
		return this.projections.generations(name)
			.stream()
			.filter((each) -> each.status().wasLive())
			.map(ProjectionGeneration::generation)
			.findFirst()
			.orElseThrow(() -> new RequestRefusedException(
					"No former generation of the read model of projector '" + name + "' is kept."));
	}

	/**
	 * Requests that a generation is dropped.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested retire(ProjectorChange<ProjectorBody.Retire> change) {
		ProjectorBody.Retire body = change.body();
		return request(change, (name) -> new What(Action.RETIRE, generation(body.generation())), (name, actor, reason,
				patience) -> this.projections.retire(name, generation(body.generation()), actor, reason, patience));
	}

	/**
	 * Requests that earlier events are applied to the live read model.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested backfill(ProjectorChange<ProjectorBody.Backfill> change) {
		ProjectorBody.Backfill body = change.body();
		return request(change, (name) -> What.backfill(options(body)), (name, actor, reason,
				patience) -> this.projections.backfill(name, options(body), actor, reason, patience));
	}

	private static BackfillOptions options(ProjectorBody.Backfill body) {
		try {
			return new BackfillOptions(new TreeSet<>(RequestTexts.elements("types", body.types())), body.handler(),
					body.to(), body.rate());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException("\"types\", \"handler\", \"to\" or \"rate\": " + ex.getMessage());
		}
	}

	/**
	 * Requests that the live tables are moved to a separate schema.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested adopt(ProjectorChange<ProjectorBody.Adopt> change) {
		String schema = ProjectorOperations.required(change.body().toSchema(),
				"A \"toSchema\" is needed. Consider a name such as order_views.");
		return request(change, (name) -> What.adopt(schema), (name, actor, reason, patience) -> {
			try {
				return this.projections.adopt(name, schema, actor, reason, patience);
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidRequestException(String.valueOf(ex.getMessage()));
			}
		});
	}

	/**
	 * Cancels the request that waits.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectorChanged cancel(ProjectorChange<ProjectorBody.Cancel> change) {
		ProjectorOverview before = this.projectors.before(change);
		if (change.body().dryRun()) {
			boolean waits = this.projections.lastRequest(before.name())
				.filter((last) -> last.state().status().isOpen())
				.isPresent();
			return ProjectorOperations.changed(before, waits, true);
		}
		boolean cancelled = this.projections.cancel(before.name(), ProjectorOperations.actor(change),
				reason(change.body()));
		return ProjectorOperations.changed(before, cancelled, false);
	}

	private ProjectionRequested request(ProjectorChange<? extends ProjectorBody.Waiting> change, Wanted what,
			Request request) {
		ProjectorOverview before = this.projectors.before(change);
		Duration patience = patience(change.body());
		if (change.body().dryRun()) {
			return ProjectionRequested.planned(before.name(), before.hasNode(), plan(before.name(), what));
		}
		ProjectionRequest added = request.add(before.name(), ProjectorOperations.actor(change), reason(change.body()),
				patience);
		return ProjectionRequested.of(added, before.hasNode());
	}

	private RequestPlan plan(String name, Wanted what) {
		try {
			return this.projections.plan(name, what.of(name));
		}
		catch (RequestRefusedException ex) { // nothing to roll back to
			return new RequestPlan(List.of(String.valueOf(ex.getMessage())), List.of(), Map.of(), null);
		}
	}

	private static String reason(ProjectorBody body) {
		return ProjectorOperations.required(body.reason(), "A \"reason\" is needed, for the audit.");
	}

	/** How long a request may wait for a node. */
	static Duration patience(ProjectorBody.Waiting body) {
		Duration expires = RequestTexts.duration("expires", body.expires());
		if (expires != null && (expires.toSeconds() < 1 || expires.compareTo(Projections.LONGEST_PATIENCE) > 0)) {
			throw new InvalidRequestException("\"expires\" must be between one second and "
					+ Projections.LONGEST_PATIENCE.toDays() + " days. Consider 10m.");
		}
		return (expires != null) ? expires : Projections.PATIENCE;
	}

	private static int generation(@Nullable Integer generation) {
		if (generation == null) {
			throw new InvalidRequestException("A \"generation\" is needed. Consider one of the projector's list.");
		}
		return generation;
	}

	/** What would be requested of a read model. */
	private interface Wanted {

		What of(String name);

	}

	/** A request for a change of a read model. */
	private interface Request {

		ProjectionRequest add(String name, String actor, String reason, Duration patience);

	}

}
