package dev.eventing.sdk.console;

import dev.eventing.sdk.operator.ErasureChange;
import dev.eventing.sdk.operator.ErasureOperations;

import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Erases the contents of streams over HTTP. Everyone who may open the console can look
 * what would go. Erasures are rejected unless {@code eventing.erasure.write-enabled} is
 * true. A call runs on the caller's thread.
 */
public final class ErasureRoutes {

	private final ErasureOperations operations;

	public ErasureRoutes(ErasureOperations operations) {
		this.operations = operations;
	}

	/**
	 * The route below the path of the console.
	 * @param actors decides who answers for erasures
	 */
	public RouterFunction<ServerResponse> routes(String console, Actors actors) {
		return new JsonRoutes(console + "/api", "streams of the tenant", actors)
			.post("/erasures", ErasureChange.class, (request, by, body) -> this.operations.erase(by, body))
			.build();
	}

}
