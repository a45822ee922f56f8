package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.EventingException;

/** Options of a projector are out of range. */
public class InvalidProjectorOptionsException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	public InvalidProjectorOptionsException(List<String> problems) {
		super(String.join("; ", problems));
		this.problems = List.copyOf(problems);
	}

	/** Each value that is out of range, with what it must be. */
	public List<String> problems() {
		return this.problems;
	}

}
