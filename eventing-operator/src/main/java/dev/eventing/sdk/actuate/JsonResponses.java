package dev.eventing.sdk.actuate;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.operator.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessException;

/**
 * The responses of the endpoints. They are the bytes of the JSON, written by a separate
 * mapper: neither settings of the application's mapper nor of Actuator's may rename what
 * clients read.
 */
final class JsonResponses {

	private static final JsonMapper JSON = EventJson.mapper();

	private JsonResponses() {
	}

	/**
	 * The answer, or the problem that stands in its way.
	 * @param log takes what is wrong with the database
	 * @param things what is asked for, such as {@code "letters"}
	 */
	static WebEndpointResponse<Object> of(Answer answer, Logger log, String things) {
		try {
			Object body = answer.body();
			return (body != null) ? response(body, WebEndpointResponse.STATUS_OK)
					: problem(Problem.notFound("Not found. Consider listing the " + things + "."));
		}
		catch (EventingException ex) {
			return problem(Problem.of(ex));
		}
		catch (DataAccessException ex) {
			log.warn("The {} cannot be read: the database does not answer", things, ex);
			return problem(Problem.unavailable());
		}
	}

	static WebEndpointResponse<Object> problem(Problem problem) {
		return response(problem, problem.status());
	}

	private static WebEndpointResponse<Object> response(Object body, int status) {
		return new WebEndpointResponse<>(bytes(body), status);
	}

	static byte[] bytes(Object body) {
		return JSON.writeValueAsBytes(body);
	}

	/** A call of the operations. */
	interface Answer {

		/** Null if there is no such resource. */
		@Nullable Object body();

	}

}
