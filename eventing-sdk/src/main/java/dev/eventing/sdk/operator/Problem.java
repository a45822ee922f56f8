package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.deadletter.DeadLetterClosedException;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;

/**
 * Why a request was not answered.
 *
 * @param status the HTTP status
 * @param error what is wrong, as a word for machines
 * @param message what is wrong and what to change, for people
 */
public record Problem(int status, String error, String message) {

	/** The problem behind an error of the SDK. */
	public static Problem of(EventingException error) {
		String message = String.valueOf(error.getMessage());
		if (error instanceof WriteRefusedException) {
			return new Problem(403, "WRITE_REFUSED", message);
		}
		if (error instanceof UnknownDeadLetterException) {
			return notFound(message);
		}
		if (error instanceof DeadLetterClosedException) {
			return new Problem(409, "CLOSED", message);
		}
		return new Problem(400, "INVALID_REQUEST", message);
	}

	/** Nothing is there, or nothing within the caller's reach. */
	public static Problem notFound(String message) {
		return new Problem(404, "NOT_FOUND", message);
	}

	/** The database does not answer; the details are for the log. */
	public static Problem unavailable() {
		return new Problem(503, "UNAVAILABLE",
				"The database with the dead letters cannot be asked now. Consider trying again; the application's log has the error.");
	}

}
