package dev.eventing.sdk.projection;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;

/** Methods with {@link Reconciliation} are wrong. The message has all problems. */
public class InvalidReconciliationException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	public InvalidReconciliationException(List<String> problems) {
		super(problems.stream()
			.map((problem) -> System.lineSeparator() + "  - " + problem)
			.collect(Collectors.joining("", "Checks are not valid:", "")));
		this.problems = List.copyOf(problems);
	}

	/** Returns the problems. Each names the method and what to change. */
	public List<String> problems() {
		return this.problems;
	}

}
