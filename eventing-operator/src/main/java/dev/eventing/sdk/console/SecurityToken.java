package dev.eventing.sdk.console;

import org.jspecify.annotations.Nullable;

import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.function.ServerRequest;

/**
 * The CSRF token that Spring Security requires with every change, so that another site
 * cannot make a browser send one. Only pages of the same origin can read it.
 *
 * @param header the name of the header that carries it
 * @param value the token
 */
record SecurityToken(String header, String value) {

	static final String OF_SPRING_SECURITY = "org.springframework.security.web.csrf.CsrfToken";

	private static final boolean WITH_SPRING_SECURITY = ClassUtils.isPresent(OF_SPRING_SECURITY,
			SecurityToken.class.getClassLoader());

	/** The token of a request, or null if none is required. */
	static @Nullable SecurityToken of(ServerRequest request) {
		return WITH_SPRING_SECURITY ? OfSpringSecurity.of(request) : null;
	}

	/** Loaded only if Spring Security is present. */
	private static final class OfSpringSecurity {

		static @Nullable SecurityToken of(ServerRequest request) {
			Object token = request.servletRequest().getAttribute(CsrfToken.class.getName());
			return (token instanceof CsrfToken csrf) ? new SecurityToken(csrf.getHeaderName(), csrf.getToken()) : null;
		}

	}

}
