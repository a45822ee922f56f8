package dev.eventing.sdk.deadletter;

import dev.eventing.sdk.EventingException;

/** More letters match than were counted before. Nothing was changed. */
public class LettersChangedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public LettersChangedException(long most, long found) {
		super("Nothing was discarded: " + found + " letters match now, and not " + most
				+ " as counted before. Consider looking at them, and counting again.");
	}

}
