package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.EventingException;

/** Options of a projector are invalid. */
public class InvalidProjectorOptionsException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	public InvalidProjectorOptionsException(List<String> problems) {
		super(String.join("; ", problems));
		this.problems = List.copyOf(problems);
	}

	/** Returns each invalid value, with the valid values. */
	public List<String> problems() {
		return this.problems;
	}

}
