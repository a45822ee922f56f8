package dev.eventing.sdk.console;

import java.security.Principal;

import dev.eventing.sdk.operator.OperatorRules;
import dev.eventing.sdk.operator.WriteRefusedException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

/**
 * Who looks at the page, and what they may do.
 *
 * @param user their name, or null if nobody is logged in
 * @param readOnly why nothing can be changed, or null if it can
 * @param payloadShown whether payloads can be seen
 * @param token what to send with every change, or null if nothing
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
		return (user == null) ? "Read-only: nobody is logged in. Changes need a user, whom Spring Security tells."
				: null;
	}

	/**
	 * Who answers for a change.
	 * @throws WriteRefusedException if they may only look
	 */
	static String actor(ServerRequest request, OperatorRules rules) {
		Session session = of(request, rules);
		if (session.user == null || session.readOnly != null) {
			throw new WriteRefusedException(String.valueOf(session.readOnly));
		}
		return session.user;
	}

}
