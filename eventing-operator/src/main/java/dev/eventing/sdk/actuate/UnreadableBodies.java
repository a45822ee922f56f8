package dev.eventing.sdk.actuate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import dev.eventing.sdk.operator.InvalidRequestException;
import dev.eventing.sdk.operator.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers calls of the SDK's endpoints whose body Actuator cannot read, in an application
 * with Spring MVC. Actuator reads a flat object of texts before it calls an endpoint, and
 * would answer without a message. Leaves other requests alone. Thread-safe.
 */
public final class UnreadableBodies implements HandlerExceptionResolver, Ordered {

	private static final List<String> PATHS = List.of(DeadLettersEndpoint.PATH, ProjectorsEndpoint.PATH,
			ErasuresEndpoint.PATH);

	/** Before Spring MVC's own. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception ex) {
		if (!(ex instanceof HttpMessageNotReadableException) || !isOurs(request)) {
			return null;
		}
		// the message of the parser may quote the payload
		String named = (ex.getCause() instanceof JacksonException cause && !cause.getPath().isEmpty()
				&& cause.getPath().get(0).getPropertyName() != null)
						? "'" + cause.getPath().get(0).getPropertyName() + "' cannot be an array or an object"
						: "The body is no JSON object";
		Problem problem = Problem.of(new InvalidRequestException(named + ". Consider texts, numbers, true and false as"
				+ " the only values: several ids with commas between them, and a payload as one text."));
		try {
			response.setStatus(problem.status());
			response.setContentType(MediaType.APPLICATION_JSON_VALUE);
			response.getOutputStream().write(JsonResponses.bytes(problem));
		}
		catch (IOException io) {
			throw new UncheckedIOException(io);
		}
		return new ModelAndView();
	}

	private static boolean isOurs(HttpServletRequest request) {
		return PATHS.stream().anyMatch((path) -> request.getRequestURI().contains("/" + path + "/"));
	}

}
