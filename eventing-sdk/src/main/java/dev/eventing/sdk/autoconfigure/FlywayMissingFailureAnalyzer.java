package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.schema.FlywayMissingException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what to add if tables are to be migrated and Flyway is missing. */
final class FlywayMissingFailureAnalyzer extends AbstractFailureAnalyzer<FlywayMissingException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, FlywayMissingException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Add 'org.springframework.boot:spring-boot-starter-flyway' and "
						+ "'org.flywaydb:flyway-database-postgresql' to the application, or set "
						+ "'eventing.schema.mode=validate' and create the tables by other means.",
				cause);
	}

}
