package dev.eventing.sdk;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Methods or beans of an application declare something that cannot run. Thrown once, at
 * start-up, with all problems of the subject. The application does not start.
 */
public class InvalidDeclarationException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private final String headline;

	private final String action;

	private final transient List<String> problems;

	/**
	 * Creates an exception.
	 * @param headline what is wrong, such as
	 * {@code The checks of read models are not valid:}
	 * @param action what to change, as sentences
	 * @param problems the problems, each with what to consider
	 */
	public InvalidDeclarationException(String headline, String action, List<String> problems) {
		super(problems.stream()
			.map((problem) -> System.lineSeparator() + "  - " + problem)
			.collect(Collectors.joining("", headline, "")));
		this.headline = headline;
		this.action = action;
		this.problems = List.copyOf(problems);
	}

	/** The error, as the line before the problems. */
	public String headline() {
		return this.headline;
	}

	/** What to change, as sentences. */
	public String action() {
		return this.action;
	}

	/** The problems. Each names the method or bean, and what to consider. */
	public List<String> problems() {
		return this.problems;
	}

}
