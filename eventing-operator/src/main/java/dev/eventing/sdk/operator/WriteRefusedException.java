package dev.eventing.sdk.operator;

import dev.eventing.sdk.EventingException;

/** A change was requested where only reading is allowed. */
public class WriteRefusedException extends EventingException {

	private static final long serialVersionUID = 1L;

	public WriteRefusedException(String message) {
		super(message);
	}

	/**
	 * No user answers for the change.
	 * @param named whether the request names an actor, which does not count here
	 */
	public static WriteRefusedException withoutUser(boolean named) {
		return new WriteRefusedException("A change needs a user, and no user is logged in. Consider logging in."
				+ (named ? " An \"actor\" counts only with 'eventing.console.access=open'." : ""));
	}

	static WriteRefusedException disabled() {
		return new WriteRefusedException("Dead letters are read-only here, because "
				+ "'eventing.deadletters.write-enabled' is false. Consider setting it to true where only "
				+ "operators have access.");
	}

	static WriteRefusedException withinATenant() {
		return new WriteRefusedException("A projector applies the events of all tenants, so nothing is changed within"
				+ " the scope of one. Consider a request without \"tenant\", by someone who may see all.");
	}

	static WriteRefusedException erasuresDisabled() {
		return new WriteRefusedException(
				"Nothing can be erased here, because 'eventing.erasure.write-enabled' is false."
						+ " Consider \"dryRun\": true, or setting it to true where only operators have access.");
	}

	static WriteRefusedException projectorsReadOnly() {
		return new WriteRefusedException(
				"Projectors can only be looked at here, because 'eventing.projector.write-enabled' is false. "
						+ "Consider setting it to true where only operators have access.");
	}

}
