package dev.eventing.sdk.liveview.web;

import java.util.concurrent.ThreadLocalRandom;

import dev.eventing.sdk.EventingException;

/** A request that is not served, with the answer to its client. */
final class RefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	private static final int RETRY_FROM_SECONDS = 5;

	private static final int RETRY_TO_SECONDS = 15;

	private final int status;

	private final String error;

	/** In seconds; 0 if it is of no use to try again. */
	private final int retryAfter;

	private RefusedException(int status, String error, int retryAfter, String message) {
		super(message);
		this.status = status;
		this.error = error;
		this.retryAfter = retryAfter;
	}

	static RefusedException invalid(String message) {
		return new RefusedException(400, "INVALID_REQUEST", 0, message);
	}

	/** The same for all keys, so that a client does not learn which exist. */
	static RefusedException forbidden() {
		return new RefusedException(403, "FORBIDDEN", 0, "You may not see all that you asked for.");
	}

	static RefusedException tooMany(String message) {
		return new RefusedException(429, "TOO_MANY_STREAMS", later(), message);
	}

	static RefusedException unavailable(String message) {
		return new RefusedException(503, "UNAVAILABLE", later(), message);
	}

	/** Spread, so that those who are refused together do not come back together. */
	private static int later() {
		return ThreadLocalRandom.current().nextInt(RETRY_FROM_SECONDS, RETRY_TO_SECONDS + 1);
	}

	int status() {
		return this.status;
	}

	String error() {
		return this.error;
	}

	int retryAfter() {
		return this.retryAfter;
	}

}
