package dev.eventing.sdk.console;

import java.net.URI;
import java.util.Map;

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
 * The console: one page for people who work with dead letters, and the JSON it lives on.
 * It is served to whomever the application lets through; changes need a user on the
 * request, who becomes the actor, and {@code eventing.deadletters.write-enabled}.
 *
 * <p>
 * Changes are {@code POST} requests with JSON and a header that no other site can send
 * without being asked first; where Spring Security wants its token too, the page takes it
 * from {@code api/session}. A {@code tenant} in the query scopes a request: letters of
 * others are not there for it.
 */
public final class Console {

	private static final Logger LOG = LoggerFactory.getLogger(Console.class);

	private static final int PAGE = 100;

	private static final int INTERVALS = 24;

	private final DeadLetterOperations operations;

	public Console(DeadLetterOperations operations) {
		this.operations = operations;
	}

	/**
	 * What answers below a path.
	 * @param path such as {@code /eventing/console}, without a slash at its end
	 */
	public RouterFunction<ServerResponse> routes(String path) {
		RouterFunctions.Builder routes = RouterFunctions.route();
		// Relative, so that it holds behind a proxy and below a context path.
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
		get(routes, api + "/session", (request) -> Session.of(request, this.operations.rules()));
		get(routes, api + "/letters", (request) -> this.operations.list(Requests.tenant(request),
				Requests.selection(request), Requests.after(request), Requests.number(request, "limit", PAGE)));
		get(routes, api + "/letters/{id}",
				(request) -> this.operations.letter(Requests.tenant(request), Requests.id(request)).orElse(null));
		get(routes, api + "/stats",
				(request) -> this.operations.stats(Requests.tenant(request), Requests.selection(request),
						Requests.interval(request), Requests.number(request, "intervals", INTERVALS)));
		get(routes, api + "/redrives/{id}",
				(request) -> this.operations.progress(Requests.tenant(request), Requests.id(request)));
	}

	private void changing(RouterFunctions.Builder routes, String api) {
		post(routes, api + "/redrive", (request, change) -> this.operations.redrive(requester(request), change));
		post(routes, api + "/discard", (request, change) -> this.operations.discard(requester(request), change));
		post(routes, api + "/letters/{id}/payload", (request, change) -> {
			this.operations.edit(requester(request), Requests.id(request), change);
			return Map.of("letterId", Requests.id(request));
		});
	}

	private Requester requester(ServerRequest request) {
		return new Requester(Requests.tenant(request), actor(request));
	}

	private String actor(ServerRequest request) {
		return Session.actor(request, this.operations.rules());
	}

	private static void get(RouterFunctions.Builder routes, String path, Look look) {
		routes.GET(path, (request) -> answer(() -> look.at(request)));
	}

	private static void post(RouterFunctions.Builder routes, String path, Act act) {
		routes.POST(path, (request) -> answer(() -> act.on(request, Requests.change(request))));
	}

	private static ServerResponse answer(Answer answer) throws Exception {
		try {
			Object body = answer.body();
			return (body != null) ? Responses.json(body) : Responses
				.problem(Problem.notFound("Nothing is there within reach. Consider listing the letters."));
		}
		catch (EventingException ex) {
			return Responses.problem(Problem.of(ex));
		}
		catch (DataAccessException ex) {
			LOG.warn("The console cannot look at dead letters: the database does not answer", ex);
			return Responses.problem(Problem.unavailable());
		}
	}

	/** A look at something; null if it is not there. */
	private interface Look {

		@Nullable Object at(ServerRequest request);

	}

	/** A change. */
	private interface Act {

		Object on(ServerRequest request, Change change);

	}

	/** What is answered; null if nothing is there. */
	private interface Answer {

		@Nullable Object body() throws Exception;

	}

}
