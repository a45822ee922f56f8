package dev.eventing.sdk.console;

import dev.eventing.sdk.EventingException;

/** The console would show letters to anybody, and nothing says that this is meant. */
public class UnguardedConsoleException extends EventingException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param path where the console would have been served
	 */
	public UnguardedConsoleException(String path) {
		super("The console at '" + path + "' would show dead letters to anybody who can reach this application: "
				+ "Spring Security is not there. Consider 'org.springframework.boot:spring-boot-starter-security', or "
				+ "'eventing.console.access=open' where something else decides who gets there.");
	}

}
