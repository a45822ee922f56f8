package dev.eventing.sdk.test.server;

import dev.eventing.sdk.EventingException;
import org.jspecify.annotations.Nullable;

/** A server for tests did not start, stop or answer. The message may end with its log. */
public class ServerFailedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public ServerFailedException(String message) {
		super(message);
	}

	public ServerFailedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
