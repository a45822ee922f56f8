package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;

/** Somebody wanted to change a letter who may only look. */
public class WriteRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public WriteRefusedException(String message) {
		super(message);
	}

	static WriteRefusedException disabled() {
		return new WriteRefusedException("Dead letters can only be looked at here, because "
				+ "'eventing.deadletters.write-enabled' is false. Consider setting it to true where only "
				+ "operators can reach this.");
	}

}
