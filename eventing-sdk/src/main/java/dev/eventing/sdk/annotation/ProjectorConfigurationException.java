package dev.eventing.sdk.annotation;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.EventingException;

/**
 * The projectors of an application cannot be run as they are declared. Thrown once, at
 * start-up, for everything that is wrong; nothing has been registered then.
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

	/** Each problem: where it is, the values that are wrong, and what to change. */
	public List<String> problems() {
		return this.problems;
	}

}
