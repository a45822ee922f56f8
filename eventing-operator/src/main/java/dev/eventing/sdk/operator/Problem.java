package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.deadletter.DeadLetterClosedException;
import dev.eventing.sdk.deadletter.LettersChangedException;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;
import dev.eventing.sdk.erasure.ErasureNotAllowedException;
import dev.eventing.sdk.projection.RequestRefusedException;

/**
 * Why a request failed.
 *
 * @param status the HTTP status
 * @param error a code for programs
 * @param message what is wrong and what to change, for people
 */
public record Problem(int status, String error, String message) {

	/** The problem for an error of the SDK. */
	public static Problem of(EventingException error) {
		String message = String.valueOf(error.getMessage());
		if (error instanceof WriteRefusedException) {
			return new Problem(403, "WRITE_REFUSED", message);
		}
		if (error instanceof ErasureNotAllowedException) {
			return new Problem(403, "NOT_ALLOWED", message);
		}
		if (error instanceof UnknownDeadLetterException || error instanceof UnknownNameException) {
			return notFound(message);
		}
		if (error instanceof RequestRefusedException) {
			return new Problem(409, "REFUSED", message);
		}
		if (error instanceof DeadLetterClosedException) {
			return new Problem(409, "CLOSED", message);
		}
		if (error instanceof LettersChangedException) {
			return new Problem(409, "CHANGED", message);
		}
		return new Problem(400, "INVALID_REQUEST", message);
	}

	/** The resource does not exist, or not in the caller's scope. */
	public static Problem notFound(String message) {
		return new Problem(404, "NOT_FOUND", message);
	}

	/** The database does not answer. The log has the details. */
	public static Problem unavailable() {
		return new Problem(503, "UNAVAILABLE",
				"The database does not answer. Consider retrying; the application's log has the error.");
	}

}
