package dev.eventing.sdk.console;

import java.util.List;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.operator.ChangeBody;
import dev.eventing.sdk.operator.Problem;
import dev.eventing.sdk.operator.Requester;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Routes of the API. They refuse parameters and fields that nothing reads, and answer an
 * invalid request with a {@link Problem} and its status. Not thread-safe; the routes that
 * it builds are.
 */
final class JsonRoutes {

	/** The parameter that each route reads. */
	private static final List<String> SCOPE = List.of("tenant");

	private static final Logger LOG = LoggerFactory.getLogger(JsonRoutes.class);

	private final RouterFunctions.Builder routes = RouterFunctions.route();

	private final String path;

	private final String things;

	private final Actors actors;

	/**
	 * Has no route yet.
	 * @param path the path below which the routes lie
	 * @param things what is asked for, such as {@code "letters"}
	 * @param actors decides who answers for changes
	 */
	JsonRoutes(String path, String things, Actors actors) {
		this.path = path;
		this.things = things;
		this.actors = actors;
	}

	/** A query that reads its scope alone. */
	JsonRoutes get(String below, Look look) {
		return get(below, SCOPE, look);
	}

	/**
	 * A query.
	 * @param known the parameters that it reads
	 */
	JsonRoutes get(String below, List<String> known, Look look) {
		this.routes.GET(this.path + below, (request) -> answer(() -> {
			Requests.check(request, known);
			return look.at(request);
		}));
		return this;
	}

	/**
	 * A change.
	 * @param type the record of its body
	 */
	<B extends ChangeBody> JsonRoutes post(String below, Class<B> type, Act<B> act) {
		this.routes.POST(this.path + below, (request) -> answer(() -> {
			Requests.check(request, SCOPE);
			B body = JsonBodies.read(request, type);
			return act.on(request, new Requester(Requests.tenant(request), this.actors.of(request, body)), body);
		}));
		return this;
	}

	RouterFunction<ServerResponse> build() {
		return this.routes.build();
	}

	private ServerResponse answer(Answer answer) throws Exception {
		try {
			Object body = answer.body();
			return (body != null) ? Responses.json(body)
					: Responses.problem(Problem.notFound("Not found. Consider listing the " + this.things + "."));
		}
		catch (EventingException ex) {
			return Responses.problem(Problem.of(ex));
		}
		catch (DataAccessException ex) {
			LOG.warn("The {} cannot be read: the database does not answer", this.things, ex);
			return Responses.problem(Problem.unavailable());
		}
	}

	/** A query; returns null if there is no such resource. */
	interface Look {

		@Nullable Object at(ServerRequest request);

	}

	/** A change; returns null if there is no such resource. */
	interface Act<B> {

		@Nullable Object on(ServerRequest request, Requester by, B body);

	}

	/** Supplies the answer; null if there is no such resource. */
	private interface Answer {

		@Nullable Object body() throws Exception;

	}

}
