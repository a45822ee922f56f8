package dev.eventing.sdk.liveview;

import java.util.Optional;

import dev.eventing.sdk.event.TenantId;

/**
 * Decides which states of live views HTTP clients may see. A bean of the application.
 * Without it nothing is served.
 *
 * <p>
 * It is called for each key, on the thread of the request and outside a transaction, when
 * a stream opens and when a state is read. What a stream has been granted holds until its
 * connection ends, at most {@link LiveViewWebOptions#maxAge}. The web application handles
 * an exception of this as any other of a request.
 */
@FunctionalInterface
public interface LiveViewAccess {

	/**
	 * The tenant whose state the request sees.
	 * @param request who asks for what
	 * @return empty to refuse. Then all keys of the request are refused, with the same
	 * answer for keys that exist and keys that do not
	 */
	Optional<TenantId> tenant(LiveViewRequest request);

}
