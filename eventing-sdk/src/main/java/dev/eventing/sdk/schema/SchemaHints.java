package dev.eventing.sdk.schema;

import dev.eventing.migrations.EventingMigrations;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** A native image's hints for the scripts of the tables, and for Flyway. */
final class SchemaHints implements RuntimeHintsRegistrar {

	/** The folder of the scripts on the class path. */
	static final String FOLDER = EventingMigrations.LOCATION.substring("classpath:".length()) + "/";

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
		hints.resources().registerPattern(FOLDER + "*.sql");
		hints.reflection()
			.registerTypeIfPresent(loader, FlywayMissingException.CORE)
			.registerTypeIfPresent(loader, FlywayMissingException.POSTGRESQL);
	}

}
