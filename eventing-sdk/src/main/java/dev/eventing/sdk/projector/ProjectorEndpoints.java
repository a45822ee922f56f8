package dev.eventing.sdk.projector;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/** Takes complete descriptions of projectors and runs the projectors. */
public interface ProjectorEndpoints {

	/**
	 * Registers a projector. It may receive events at once, or only when the application
	 * context has started.
	 * @param endpoint its description; its name and durable name are unique among all
	 * registered endpoints
	 */
	void register(ProjectorEndpoint endpoint);

	/**
	 * Returns the manager of the transactions in which handlers run, or null if it is
	 * unknown.
	 */
	default @Nullable PlatformTransactionManager transactionManager() {
		return null;
	}

}
