package dev.eventing.sdk.event;

import java.util.List;

import dev.eventing.sdk.EventingException;

/** The versions of event types do not fit together. The application does not start. */
public class InvalidEventVersionsException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	InvalidEventVersionsException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/** What is wrong, one problem each, and what to change. */
	public List<String> problems() {
		return this.problems;
	}

}
