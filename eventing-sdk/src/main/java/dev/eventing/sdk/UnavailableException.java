package dev.eventing.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A server or a part of the database cannot be used now. The same call may succeed later
 * without a change. If statements of the SDK fail because PostgreSQL is away, Spring's
 * {@code DataAccessException} or {@code TransactionException} is thrown as it is instead.
 */
public class UnavailableException extends EventingException {

	private static final long serialVersionUID = 1L;

	public UnavailableException(String message) {
		super(message);
	}

	public UnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
