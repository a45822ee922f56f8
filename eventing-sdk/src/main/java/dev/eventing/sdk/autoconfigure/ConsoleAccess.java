package dev.eventing.sdk.autoconfigure;

/** Who may be let through to the console. */
enum ConsoleAccess {

	/** Whom Spring Security lets through; without it the console is refused. */
	GUARDED,

	/** Anybody who can reach the application, unless it has a guard of another kind. */
	OPEN

}
