package dev.eventing.sdk.console;

import dev.eventing.sdk.EventingException;

/**
 * The console would show letters to anyone, and the application has not allowed that
 * explicitly.
 */
public class UnguardedConsoleException extends EventingException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param path the path at which the console would be served
	 */
	public UnguardedConsoleException(String path) {
		super("The console at '" + path + "' would show dead letters to anyone who can reach this application: "
				+ "Spring Security is missing. Consider 'org.springframework.boot:spring-boot-starter-security', or "
				+ "'eventing.console.access=open' if access is controlled in another way.");
	}

}
