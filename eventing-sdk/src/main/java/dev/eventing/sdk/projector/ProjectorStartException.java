package dev.eventing.sdk.projector;

import java.util.List;

import dev.eventing.sdk.OperatorMustActException;

/** Projectors cannot start until the operator or the developer corrects something. */
public class ProjectorStartException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	public ProjectorStartException(List<String> problems) {
		super(String.join(System.lineSeparator(), problems));
		this.problems = List.copyOf(problems);
	}

	/** Returns the problems, each with what to change. */
	public List<String> problems() {
		return this.problems;
	}

}
