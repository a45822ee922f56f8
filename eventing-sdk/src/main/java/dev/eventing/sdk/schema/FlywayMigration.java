package dev.eventing.sdk.schema;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.migrations.EventingMigrations;
import dev.eventing.sdk.jdbc.Causes;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * The only class that refers to Flyway, with the scripts that it gives to it, so that all
 * others load without Flyway.
 */
final class FlywayMigration {

	private FlywayMigration() {
	}

	/**
	 * Applies missing migrations. Flyway takes an advisory lock per history table, so
	 * nodes that start at the same time wait for the first one.
	 * @param patience how long a node waits for another one that migrates
	 */
	static void run(DataSource dataSource, EventingSchema schema, Duration patience) {
		Flyway flyway = configuration(dataSource, schema, patience).load();
		try {
			flyway.migrate();
		}
		catch (FlywayException ex) {
			String advice = isOfAPool(ex) ? "Consider a pool of 3 connections or more: Flyway needs two at a time."
					: "Consider the cause; where the tables were created by hand, eventing.schema.mode=validate.";
			throw new SchemaNotReadyException(
					"Schema '" + schema.name() + "' could not be migrated: " + ex.getMessage() + " " + advice,
					List.of(), ex);
		}
	}

	static FluentConfiguration configuration(DataSource dataSource, EventingSchema schema, Duration patience) {
		return Flyway.configure(FlywayMigration.class.getClassLoader())
			.dataSource(dataSource)
			.defaultSchema(schema.name())
			.createSchemas(true)
			.resourceProvider(new MigrationScripts())
			.javaMigrationClassProvider(List::of)
			.table(EventingMigrations.HISTORY_TABLE)
			.placeholderReplacement(false)
			// A schema shared with the application is not empty, and V1 must still run.
			.baselineOnMigrate(true)
			.baselineVersion("0")
			// Flyway asks for its lock once a second.
			.lockRetryCount(Math.toIntExact(patience.toSeconds()));
	}

	/** Whether a pool gave no further connection; the first one was there. */
	private static boolean isOfAPool(Throwable failure) {
		return Causes.of(failure).stream().anyMatch(SQLTransientConnectionException.class::isInstance);
	}

}
