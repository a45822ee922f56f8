package dev.eventing.sdk.console;

import java.util.List;
import java.util.function.Function;

import dev.eventing.sdk.operator.CheckOperations;
import dev.eventing.sdk.operator.DiffOperations;
import dev.eventing.sdk.operator.InlineOperations;
import dev.eventing.sdk.operator.ProjectionOperations;
import dev.eventing.sdk.operator.ProjectorBody;
import dev.eventing.sdk.operator.ProjectorChange;
import dev.eventing.sdk.operator.ProjectorOperations;

import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Projectors over HTTP: of all nodes that share the database. Everyone who may open the
 * console can read. Changes are rejected unless {@code eventing.projector.write-enabled}
 * is true. Each call runs on the caller's thread.
 *
 * <p>
 * A {@code tenant} in the query is the scope of a request. Such a request sees no counts
 * of all tenants, no reason or detail, and of what checks found only the rows of the
 * tenant. It changes nothing.
 */
public final class ProjectorRoutes {

	private static final List<String> AUDIT = List.of("tenant", "limit");

	private final ProjectorOperations operations;

	private final ProjectionOperations readModels;

	private final CheckOperations checks;

	private final DiffOperations diffs;

	private final InlineOperations inline;

	public ProjectorRoutes(ProjectorOperations operations, ProjectionOperations readModels, CheckOperations checks,
			DiffOperations diffs, InlineOperations inline) {
		this.operations = operations;
		this.readModels = readModels;
		this.checks = checks;
		this.diffs = diffs;
		this.inline = inline;
	}

	/**
	 * The routes below the path of the console.
	 * @param actors decides who answers for changes
	 */
	public RouterFunction<ServerResponse> routes(String console, Actors actors) {
		JsonRoutes routes = new JsonRoutes(console + "/api/projectors", "projectors", actors);
		looking(routes);
		changing(routes);
		changingReadModels(routes);
		return routes.build();
	}

	private void looking(JsonRoutes routes) {
		routes.get("", (request) -> this.operations.list(Requests.tenant(request)))
			.get("/{name}", (request) -> this.operations.find(Requests.tenant(request), name(request)).orElse(null))
			.get("/{name}/audit", AUDIT,
					(request) -> this.operations
						.audit(Requests.tenant(request), name(request), Requests.number(request, "limit"))
						.orElse(null))
			.get("/{name}/generations",
					(request) -> this.readModels.generations(Requests.tenant(request), name(request)).orElse(null))
			.get("/{name}/request",
					(request) -> this.readModels.lastRequest(Requests.tenant(request), name(request)).orElse(null))
			.get("/{name}/checks",
					(request) -> this.checks.checks(Requests.tenant(request), name(request)).orElse(null))
			.get("/{name}/inline", (request) -> this.inline.find(Requests.tenant(request), name(request)).orElse(null));
	}

	private void changing(JsonRoutes routes) {
		post(routes, "pause", ProjectorBody.Pause.class, this.operations::pause);
		post(routes, "resume", ProjectorBody.Resume.class, this.operations::resume);
		post(routes, "demote", ProjectorBody.Demote.class, this.inline::demote);
		post(routes, "promote", ProjectorBody.Promote.class, this.inline::promote);
		post(routes, "diff", ProjectorBody.Diff.class, this.diffs::diff);
		post(routes, "reconcile", ProjectorBody.Reconcile.class, this.checks::reconcile);
	}

	private void changingReadModels(JsonRoutes routes) {
		post(routes, "rebuild", ProjectorBody.Rebuild.class, this.readModels::rebuild);
		post(routes, "backfill", ProjectorBody.Backfill.class, this.readModels::backfill);
		post(routes, "switch", ProjectorBody.Switch.class, this.readModels::switchTo);
		post(routes, "rollback", ProjectorBody.Rollback.class, this.readModels::rollback);
		post(routes, "retire", ProjectorBody.Retire.class, this.readModels::retire);
		post(routes, "adopt", ProjectorBody.Adopt.class, this.readModels::adopt);
		post(routes, "cancel", ProjectorBody.Cancel.class, this.readModels::cancel);
	}

	private static <B extends ProjectorBody> void post(JsonRoutes routes, String change, Class<B> type,
			Function<ProjectorChange<B>, Object> act) {
		routes.post("/{name}/" + change, type,
				(request, by, body) -> act.apply(new ProjectorChange<>(name(request), by, body)));
	}

	private static String name(ServerRequest request) {
		return request.pathVariable("name");
	}

}
