package dev.eventing.sdk.console;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.operator.Change;
import dev.eventing.sdk.operator.Requester;
import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The console: one page for operators of dead letters, and its JSON API. The application
 * decides who has access. Changes need {@code eventing.deadletters.write-enabled}, and a
 * user on the request, who becomes the actor.
 *
 * <p>
 * Changes are {@code POST} requests with JSON and a header that another site cannot send
 * without a CORS preflight. If Spring Security requires its CSRF token too, the page
 * reads it from {@code api/session}. A {@code tenant} in the query is the scope of a
 * request: the request does not see letters of other tenants.
 */
public final class Console {

	private static final Logger LOG = LoggerFactory.getLogger(Console.class);

	private static final int PAGE = 100;

	private static final int INTERVALS = 24;

	private static final List<String> SCOPE = List.of("tenant");

	private static final List<String> FILTER = List.of("tenant", "projector", "type", "error", "key", "status",
			"deadAfter", "deadBefore");

	private static final List<String> LIST = Stream.concat(FILTER.stream(), Stream.of("limit", "after")).toList();

	private static final List<String> STATS = Stream.concat(FILTER.stream(), Stream.of("interval", "intervals"))
		.toList();

	private final DeadLetterOperations operations;

	public Console(DeadLetterOperations operations) {
		this.operations = operations;
	}

	/**
	 * The routes below a path.
	 * @param path a path such as {@code /eventing/console}, without a slash at its end
	 */
	public RouterFunction<ServerResponse> routes(String path) {
		RouterFunctions.Builder routes = RouterFunctions.route();
		// Relative, so that it also works with a proxy or a context path.
		URI page = URI.create(path.substring(path.lastIndexOf('/') + 1) + "/");
		routes.GET(path, (request) -> Responses.guarded(ServerResponse.status(302)).location(page).build());
		for (ConsoleFile file : ConsoleFile.all()) {
			routes.GET(path + "/" + file.path(), (request) -> file.response());
		}
		looking(routes, path + "/api");
		changing(routes, path + "/api");
		return routes.build();
	}

	private void looking(RouterFunctions.Builder routes, String api) {
		get(routes, api + "/session", SCOPE, (request) -> Session.of(request, this.operations.rules()));
		get(routes, api + "/letters", LIST, (request) -> this.operations.list(Requests.tenant(request),
				Requests.selection(request), Requests.after(request), Requests.number(request, "limit", PAGE)));
		get(routes, api + "/letters/{id}", SCOPE,
				(request) -> this.operations.letter(Requests.tenant(request), Requests.id(request)).orElse(null));
		get(routes, api + "/stats", STATS,
				(request) -> this.operations.stats(Requests.tenant(request), Requests.selection(request),
						Requests.interval(request), Requests.number(request, "intervals", INTERVALS)));
		get(routes, api + "/redrives/{id}", SCOPE,
				(request) -> this.operations.progress(Requests.tenant(request), Requests.id(request)));
	}

	private void changing(RouterFunctions.Builder routes, String api) {
		post(routes, api + "/redrive", (request, change) -> this.operations.redrive(requester(request), change));
		post(routes, api + "/discard", (request, change) -> this.operations.discard(requester(request), change));
		post(routes, api + "/letters/{id}/payload",
				(request, change) -> this.operations.edit(requester(request), Requests.id(request), change));
	}

	private Requester requester(ServerRequest request) {
		return new Requester(Requests.tenant(request), actor(request));
	}

	private String actor(ServerRequest request) {
		return Session.actor(request, this.operations.rules());
	}

	private static void get(RouterFunctions.Builder routes, String path, List<String> known, Look look) {
		routes.GET(path, (request) -> answer(() -> {
			Requests.check(request, known);
			return look.at(request);
		}));
	}

	private static void post(RouterFunctions.Builder routes, String path, Act act) {
		routes.POST(path, (request) -> answer(() -> {
			Requests.check(request, SCOPE);
			return act.on(request, Requests.change(request));
		}));
	}

	private static ServerResponse answer(Answer answer) throws Exception {
		try {
			Object body = answer.body();
			return (body != null) ? Responses.json(body)
					: Responses.problem(Problem.notFound("Not found. Consider listing the letters."));
		}
		catch (EventingException ex) {
			return Responses.problem(Problem.of(ex));
		}
		catch (DataAccessException ex) {
			LOG.warn("The console cannot read dead letters: the database does not answer", ex);
			return Responses.problem(Problem.unavailable());
		}
	}

	/** A query; returns null if there is no such resource. */
	private interface Look {

		@Nullable Object at(ServerRequest request);

	}

	/** A change. */
	private interface Act {

		Object on(ServerRequest request, Change change);

	}

	/** Supplies the answer; null if there is no such resource. */
	private interface Answer {

		@Nullable Object body() throws Exception;

	}

}
