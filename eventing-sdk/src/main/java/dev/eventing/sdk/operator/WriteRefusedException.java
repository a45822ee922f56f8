package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;

/** A change of letters was requested where only reading is allowed. */
public class WriteRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public WriteRefusedException(String message) {
		super(message);
	}

	static WriteRefusedException disabled() {
		return new WriteRefusedException("Dead letters are read-only here, because "
				+ "'eventing.deadletters.write-enabled' is false. Consider setting it to true where only "
				+ "operators have access.");
	}

}
