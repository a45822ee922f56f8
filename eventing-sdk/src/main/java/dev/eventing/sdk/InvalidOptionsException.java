package dev.eventing.sdk;

import java.util.List;

/** Options of a part of the SDK are out of range. The part was not created. */
public class InvalidOptionsException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private final String subject;

	private final String setBy;

	private final transient List<String> problems;

	/**
	 * Creates an exception.
	 * @param subject what has the options, such as {@code relay 'orders'}
	 * @param setBy where the values are set, such as
	 * {@code in code, or by the properties 'eventing.relays.orders.*'}
	 * @param problems each value that is out of range, with what it must be
	 */
	public InvalidOptionsException(String subject, String setBy, List<String> problems) {
		super("Options of " + subject + ": " + String.join("; ", problems));
		this.subject = subject;
		this.setBy = setBy;
		this.problems = List.copyOf(problems);
	}

	/** The owner of the options. */
	public String subject() {
		return this.subject;
	}

	/** Where the values are set. */
	public String setBy() {
		return this.setBy;
	}

	/** Each value that is out of range, with what it must be. */
	public List<String> problems() {
		return this.problems;
	}

}
