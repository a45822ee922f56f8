package dev.eventing.sdk.console;

import java.security.Principal;

import dev.eventing.sdk.operator.OperatorRules;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

/**
 * The user of the page, and the user's permissions.
 *
 * @param user the user's name, or null if no user is logged in
 * @param readOnly why changes are not allowed, or null if they are
 * @param payloadShown whether payloads are shown
 * @param token the token to send with every change, or null if none is required
 */
record Session(@Nullable String user, @Nullable String readOnly, boolean payloadShown, @Nullable SecurityToken token) {

	static Session of(ServerRequest request, OperatorRules rules) {
		String user = request.principal().map(Principal::getName).orElse(null);
		return new Session(user, readOnly(user, rules), rules.showPayload(), SecurityToken.of(request));
	}

	private static @Nullable String readOnly(@Nullable String user, OperatorRules rules) {
		if (!rules.writeEnabled()) {
			return "Read-only: 'eventing.deadletters.write-enabled' is false.";
		}
		return (user == null) ? "Read-only: no user is logged in. Changes need a user, which Spring Security supplies."
				: null;
	}

}
