package dev.eventing.sdk.annotation;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;

/**
 * The declared projectors of an application cannot run. Thrown once, at start-up, with
 * all problems. No projector has been registered then.
 */
public class ProjectorConfigurationException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient List<String> problems;

	public ProjectorConfigurationException(List<String> problems) {
		super(problems.stream()
			.map((problem) -> System.lineSeparator() + "  - " + problem)
			.collect(Collectors.joining("", "Projectors cannot be started:", "")));
		this.problems = List.copyOf(problems);
	}

	/**
	 * Returns the problems. Each contains the bean or handler, the wrong values, and what
	 * to change.
	 */
	public List<String> problems() {
		return this.problems;
	}

}
