package dev.eventing.sdk.console;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.LetterAudit;
import dev.eventing.sdk.operator.LetterBody;

import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The console: one page for operators of dead letters, and the JSON API for letters,
 * which programs call, too. The application decides who has access. Changes need
 * {@code eventing.deadletters.write-enabled}.
 *
 * <p>
 * Changes are {@code POST} requests with JSON and a header that another site cannot send
 * without a CORS preflight. If Spring Security requires its CSRF token too, the page
 * reads it from {@code api/session}. A {@code tenant} in the query is the scope of a
 * request: the request does not see letters of other tenants.
 */
public final class Console {

	private static final int PAGE = 100;

	private static final int INTERVALS = 24;

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
	 * @param actors decides who answers for changes
	 */
	public RouterFunction<ServerResponse> routes(String path, Actors actors) {
		RouterFunctions.Builder routes = RouterFunctions.route();
		// Relative, so that it also works with a proxy or a context path.
		URI page = URI.create(path.substring(path.lastIndexOf('/') + 1) + "/");
		routes.GET(path, (request) -> Responses.guarded(ServerResponse.status(302)).location(page).build());
		for (ConsoleFile file : ConsoleFile.all()) {
			routes.GET(path + "/" + file.path(), (request) -> file.response());
		}
		JsonRoutes letters = new JsonRoutes(path + "/api", "letters", actors);
		looking(letters);
		changing(letters);
		return routes.add(letters.build()).build();
	}

	private void looking(JsonRoutes routes) {
		routes.get("/session", (request) -> Session.of(request, this.operations.rules()))
			.get("/letters", LIST,
					(request) -> this.operations.list(Requests.tenant(request), Requests.selection(request),
							Requests.after(request), Requests.number(request, "limit", PAGE)))
			.get("/letters/{id}",
					(request) -> this.operations.letter(Requests.tenant(request), Requests.id(request)).orElse(null))
			.get("/letters/{id}/audit",
					(request) -> this.operations.letter(Requests.tenant(request), Requests.id(request))
						.map((letter) -> new LetterAudit(letter.audit()))
						.orElse(null))
			.get("/stats", STATS,
					(request) -> this.operations.stats(Requests.tenant(request), Requests.selection(request),
							Requests.interval(request), Requests.number(request, "intervals", INTERVALS)))
			.get("/redrives/{id}",
					(request) -> this.operations.progress(Requests.tenant(request), Requests.id(request)));
	}

	private void changing(JsonRoutes routes) {
		routes.post("/redrive", LetterBody.Redrive.class, (request, by, change) -> this.operations.redrive(by, change))
			.post("/discard", LetterBody.Discard.class, (request, by, change) -> this.operations.discard(by, change))
			.post("/letters/{id}/payload", LetterBody.Edit.class,
					(request, by, change) -> this.operations.edit(by, Requests.id(request), change));
	}

}
