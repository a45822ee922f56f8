package dev.eventing.sdk.console;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.operator.Problem;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The responses of the console. JSON is written by a separate mapper, so the
 * application's mapper has no influence.
 */
final class Responses {

	/**
	 * No resources of other sites, no inline scripts, no frames: the content of a payload
	 * cannot become part of the page.
	 */
	static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
			+ "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	private static final JsonMapper JSON = EventJson.mapper();

	private Responses() {
	}

	static ServerResponse json(Object body) {
		return json(200, body);
	}

	static ServerResponse problem(Problem problem) {
		return json(problem.status(), problem);
	}

	private static ServerResponse json(int status, Object body) {
		return guarded(ServerResponse.status(status)).header("Cache-Control", "no-store")
			.contentType(MediaType.APPLICATION_JSON)
			.body(JSON.writeValueAsBytes(body));
	}

	static ServerResponse.BodyBuilder guarded(ServerResponse.BodyBuilder response) {
		return response.header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
			.header("X-Content-Type-Options", "nosniff")
			.header("X-Frame-Options", "DENY")
			.header("Referrer-Policy", "no-referrer");
	}

}
