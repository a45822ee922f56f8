package dev.eventing.sdk.relay;

import java.util.List;

import dev.eventing.sdk.EventingException;

/** Options of a relay are out of range. */
public class InvalidRelayOptionsException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final String relay;

	private final transient List<String> problems;

	public InvalidRelayOptionsException(String relay, List<String> problems) {
		super("Relay '" + relay + "': " + String.join("; ", problems));
		this.relay = relay;
		this.problems = List.copyOf(problems);
	}

	/** The relay's name. */
	public String relay() {
		return this.relay;
	}

	/** Each value that is out of range, with what it must be. */
	public List<String> problems() {
		return this.problems;
	}

}
