package dev.eventing.sdk.projector;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;

/** Where finished descriptions of projectors go, to be run. */
public interface ProjectorEndpoints {

	/**
	 * Takes a projector over. It may begin to receive events at once or when the
	 * application context has started.
	 * @param endpoint its description; name and durable name are its own among all that
	 * are registered
	 */
	void register(ProjectorEndpoint endpoint);

	/** The manager of the transactions that handlers run in, or null: it is not known. */
	default @Nullable PlatformTransactionManager transactionManager() {
		return null;
	}

}
