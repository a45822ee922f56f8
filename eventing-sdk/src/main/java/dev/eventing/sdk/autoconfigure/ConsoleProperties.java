package dev.eventing.sdk.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The console for dead letters.
 *
 * @param enabled Whether the console is served.
 * @param path Path it is served at, below that of the application.
 * @param access Whether it is served only where Spring Security is, or to anybody.
 */
@ConfigurationProperties("eventing.console")
record ConsoleProperties(@DefaultValue("false") boolean enabled, @DefaultValue("/eventing/console") String path,
		@DefaultValue("guarded") ConsoleAccess access) {

	ConsoleProperties {
		// A pattern would route requests that were not meant for the console.
		if (!path.matches("(/[A-Za-z0-9._~-]+)+")) {
			throw new InvalidConfigurationPropertyValueException("eventing.console.path", path,
					"It must begin with a slash and not end with one, and have letters, digits and '._~-' between slashes.");
		}
	}

}
