package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.schema.SchemaNotReadyException;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reports which tables or rights are missing or not to be relied on, and what to do. */
final class SchemaNotReadyFailureAnalyzer extends AbstractFailureAnalyzer<SchemaNotReadyException> {

	private final Environment environment;

	SchemaNotReadyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SchemaNotReadyException cause) {
		String schema = this.environment.getProperty("eventing.schema.name", EventingSchema.DEFAULT_NAME);
		if (cause.isUnsafe()) {
			return new FailureAnalysis(
					ProblemList.under("The tables in schema '" + schema + "' cannot be relied on:", cause.problems()),
					"Run one of the statements of each line, as the owner of the tables or as a superuser. Then start the "
							+ "application again.",
					cause);
		}
		String description = cause.problems().isEmpty() ? String.valueOf(cause.getMessage()) : ProblemList
			.under("Schema '" + schema + "' does not hold the tables that projectors need:", cause.problems());
		return new FailureAnalysis(description, action(schema), cause);
	}

	private String action(String schema) {
		if (mode() == SchemaMode.MIGRATE) {
			return "Find out why the migration is blocked. If the tables are created by other means, set "
					+ "'eventing.schema.mode=validate'.";
		}
		return "Set 'eventing.schema.mode=migrate' to have the tables created, or run the SQL printed by "
				+ "'java -cp eventing-migrations.jar dev.eventing.migrations.EventingMigrations " + schema
				+ "'. If they are in another schema, set 'eventing.schema.name'.";
	}

	private SchemaMode mode() {
		return Binder.get(this.environment).bind("eventing.schema.mode", SchemaMode.class).orElse(SchemaMode.VALIDATE);
	}

}
