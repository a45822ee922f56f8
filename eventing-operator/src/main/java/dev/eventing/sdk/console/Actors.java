package dev.eventing.sdk.console;

import java.security.Principal;
import java.util.Optional;

import dev.eventing.sdk.operator.ChangeBody;
import dev.eventing.sdk.operator.WriteRefusedException;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.function.ServerRequest;

/**
 * Decides who answers for a change: the user of the request. Where no user is logged in,
 * the request may name an actor, but only in a console that is open to anyone. Elsewhere
 * each name in the audit is that of a user.
 *
 * @param named whether an actor counts that a request names
 */
public record Actors(boolean named) {

	/**
	 * The actor of a change; null if that is not known, which the change may need or not.
	 * @throws WriteRefusedException if the change needs a user
	 */
	@Nullable String of(ServerRequest request, ChangeBody body) {
		Optional<String> user = request.principal().map(Principal::getName);
		if (user.isPresent()) {
			return user.get();
		}
		if (!this.named && body.needsActor()) {
			throw WriteRefusedException.withoutUser(body.actor() != null);
		}
		return this.named ? body.actor() : null;
	}

}
