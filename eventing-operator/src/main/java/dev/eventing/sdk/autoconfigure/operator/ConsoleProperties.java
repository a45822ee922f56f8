package dev.eventing.sdk.autoconfigure.operator;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The console, and the API below it.
 *
 * @param enabled Whether the console and its API are served.
 * @param path Path of the console, below the application's context path.
 * @param access Whether the console requires Spring Security, or is open to anyone.
 */
@ConfigurationProperties("eventing.console")
record ConsoleProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/eventing/console") String path,
		@DefaultValue("guarded") ConsoleAccess access) {

	ConsoleProperties {
		// A pattern would route requests that are not for the console.
		if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
			throw new InvalidConfigurationPropertyValueException("eventing.console.path", path,
					"It must start with a slash, not end with one, and have letters, digits and '._~-' between slashes.");
		}
	}

}
