package dev.eventing.sdk.autoconfigure.operator;

/** The users who have access to the console. */
enum ConsoleAccess {

	/**
	 * Users whom Spring Security admits. Without Spring Security the application does not
	 * start.
	 */
	GUARDED,

	/** Anyone who can reach the application, unless it is protected in another way. */
	OPEN

}
