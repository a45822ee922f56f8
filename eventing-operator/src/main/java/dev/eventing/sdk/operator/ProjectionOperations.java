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
	public ProjectionRequested rebuild(ProjectionChange change) {
		ScopedRebuild part = part(change);
		if (part != null) {
			return request(change, (name) -> What.part(part), (name, actor, reason, patience) -> this.projections
				.rebuildScope(name, part, new ProjectionRequest.By(actor, reason), patience));
		}
		BuildOptions limits = limits(change);
		return request(change,
				(name) -> change.inPlace() ? new What(Action.REBUILD_IN_PLACE, null) : What.build(limits),
				(name, actor, reason, patience) -> change.inPlace()
						? this.projections.rebuildInPlace(name, actor, reason, patience)
						: this.projections.rebuildBeside(name, limits, actor, reason, patience));
	}

	private static @Nullable ScopedRebuild part(ProjectionChange change) {
		ProjectionChange.Limits limits = change.limits();
		ProjectionChange.Part part = limits.part();
		try {
			RebuildScope scope = RebuildScope.of(part.tenant(), part.streams(), part.letters(), part.window());
			boolean beside = limits.rate() != null || limits.maxSize() != null || limits.until() != null;
			if ((scope != null && beside) || (scope == null && part.mostEvents() != null)) {
				throw new InvalidRequestException("\"rate\", \"maxSize\" and \"until\" are for a build beside the live"
						+ " generation, and \"maxEvents\" for a part of the live read model.");
			}
			if (scope == null) {
				return null;
			}
			return (part.mostEvents() != null) ? new ScopedRebuild(scope, part.mostEvents()) : new ScopedRebuild(scope);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException(String.valueOf(ex.getMessage()));
		}
	}

	private static BuildOptions limits(ProjectionChange change) {
		ProjectionChange.Limits limits = change.limits();
		String size = limits.maxSize();
		if (change.inPlace() && (limits.rate() != null || size != null || limits.until() != null)) {
			throw new InvalidRequestException(
					"\"rate\", \"maxSize\" and \"until\" are for a build beside the live generation.");
		}
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
	public ProjectionRequested switchTo(ProjectionChange change) {
		return request(change, (name) -> What.switchTo(generation(change), options(change)),
				(name, actor, reason, patience) -> this.projections.switchTo(name, generation(change), options(change),
						new ProjectionRequest.By(actor, reason), patience));
	}

	private static SwitchOptions options(ProjectionChange change) {
		return new SwitchOptions(change.unchecked(), change.acceptsLostColumns());
	}

	/**
	 * Requests that the generation becomes live again that was live before.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested rollback(ProjectionChange change) {
		return request(change, (name) -> What.switchTo(former(name), ofRollback(change)),
				(name, actor, reason, patience) -> this.projections.switchTo(name, former(name), ofRollback(change),
						new ProjectionRequest.By(actor, reason), patience));
	}

	private static SwitchOptions ofRollback(ProjectionChange change) {
		return new SwitchOptions(false, change.acceptsLostColumns());
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
	public ProjectionRequested retire(ProjectionChange change) {
		return request(change, (name) -> new What(Action.RETIRE, generation(change)), (name, actor, reason,
				patience) -> this.projections.retire(name, generation(change), actor, reason, patience));
	}

	/**
	 * Requests that earlier events are applied to the live read model.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested backfill(ProjectionChange change) {
		return request(change, (name) -> What.backfill(backfillOptions(change)), (name, actor, reason,
				patience) -> this.projections.backfill(name, backfillOptions(change), actor, reason, patience));
	}

	private static BackfillOptions backfillOptions(ProjectionChange change) {
		ProjectionChange.Limits limits = change.limits();
		try {
			return new BackfillOptions(new TreeSet<>(limits.types()), limits.handler(), limits.to(), limits.rate());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRequestException("\"types\", \"handler\", \"to\" or \"rate\": " + ex.getMessage());
		}
	}

	/**
	 * Requests that the live tables are moved to a separate schema.
	 * @throws WriteRefusedException if only looking is allowed
	 */
	public ProjectionRequested adopt(ProjectionChange change) {
		String schema = ProjectorOperations.required(change.schema(),
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
	public ProjectorChanged cancel(ProjectionChange change) {
		ProjectorChange wanted = change.change();
		ProjectorOverview before = this.projectors.before(wanted);
		if (wanted.dryRun()) {
			boolean waits = this.projections.lastRequest(before.name())
				.filter((last) -> last.state().status().isOpen())
				.isPresent();
			return ProjectorOperations.changed(before, waits, true);
		}
		boolean cancelled = this.projections.cancel(before.name(), ProjectorOperations.actor(wanted), reason(wanted));
		return ProjectorOperations.changed(before, cancelled, false);
	}

	private ProjectionRequested request(ProjectionChange change, Wanted what, Request request) {
		ProjectorChange wanted = change.change();
		ProjectorOverview before = this.projectors.before(wanted);
		if (wanted.dryRun()) {
			return ProjectionRequested.planned(before.name(), before.hasNode(), plan(before.name(), what));
		}
		ProjectionRequest added = request.add(before.name(), ProjectorOperations.actor(wanted), reason(wanted),
				patience(change.expires()));
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

	private static String reason(ProjectorChange change) {
		return ProjectorOperations.required(change.reason(), "A \"reason\" is needed, for the audit.");
	}

	/** How long a request may wait for a node. */
	static Duration patience(@Nullable Duration expires) {
		if (expires != null && (expires.toSeconds() < 1 || expires.compareTo(Projections.LONGEST_PATIENCE) > 0)) {
			throw new InvalidRequestException("\"expires\" must be between one second and "
					+ Projections.LONGEST_PATIENCE.toDays() + " days. Consider 10m.");
		}
		return (expires != null) ? expires : Projections.PATIENCE;
	}

	private static int generation(ProjectionChange change) {
		Integer generation = change.generation();
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
