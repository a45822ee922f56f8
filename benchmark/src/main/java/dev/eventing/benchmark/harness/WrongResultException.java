package dev.eventing.benchmark.harness;

import dev.eventing.sdk.EventingException;

/** A contender has not done what it was to do, so that its figures mean nothing. */
public class WrongResultException extends EventingException {

	private static final long serialVersionUID = 1L;

	WrongResultException(String message) {
		super(message);
	}

}
