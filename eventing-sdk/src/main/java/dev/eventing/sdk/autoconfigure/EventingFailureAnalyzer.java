package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.schema.DatabaseUnavailableException;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.FlywayMissingException;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.schema.SchemaNotReadyException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/**
 * Reports why the SDK does not let an application start, and what to do: by the
 * exception's own words, or by the table here. Leaves other failures alone.
 */
final class EventingFailureAnalyzer extends AbstractFailureAnalyzer<EventingException> {

	/** What to do about an exception that does not know the application's settings. */
	private static final Map<Class<?>, String> ACTIONS = Map.of(DatabaseUnavailableException.class,
			"Start PostgreSQL, or correct 'spring.datasource.url', 'spring.datasource.username' and "
					+ "'spring.datasource.password', or those of 'spring.flyway' if they differ. To start without a check of the tables, set "
					+ "'eventing.schema.mode=none'.",
			FlywayMissingException.class,
			"Add 'org.springframework.boot:spring-boot-starter-flyway' and "
					+ "'org.flywaydb:flyway-database-postgresql' to the application, or set "
					+ "'eventing.schema.mode=validate' and create the tables by other means.",
			ProjectorStartException.class,
			"Do what each line says to consider. If it is about a stream or a durable, change that on the server, or "
					+ "its declaration in the application: the attributes of @ProjectorEventHandler, or "
					+ "'eventing.streams.<NAME>.subjects' to declare a stream.");

	private final Environment environment;

	EventingFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, EventingException cause) {
		DatabaseUnavailableException away = findCause(rootFailure, DatabaseUnavailableException.class);
		if (away != null) {
			return analysis(away, String.valueOf(away.getMessage()), List.of(), action(away));
		}
		OperatorMustActException refusal = findCause(rootFailure, OperatorMustActException.class);
		return (refusal != null) ? analyze(refusal) : null;
	}

	private FailureAnalysis analyze(OperatorMustActException refusal) {
		if (refusal instanceof InvalidOptionsException invalid) {
			return analysis(invalid, "Options of " + invalid.subject() + " are out of range:", invalid.problems(),
					"Change the values above where they are set: " + invalid.setBy() + ".");
		}
		if (refusal instanceof InvalidDeclarationException invalid) {
			return analysis(invalid, invalid.headline(), invalid.problems(), invalid.action());
		}
		if (refusal instanceof ProjectorStartException projectors) {
			return analysis(projectors, "Projectors cannot start:", projectors.problems(), action(projectors));
		}
		if (refusal instanceof SchemaNotReadyException schema) {
			return analyze(schema);
		}
		String action = (refusal instanceof StartRefusedException start) ? start.action() : action(refusal);
		return analysis(refusal, String.valueOf(refusal.getMessage()), List.of(), action);
	}

	private FailureAnalysis analyze(SchemaNotReadyException refusal) {
		String schema = this.environment.getProperty("eventing.schema.name", EventingSchema.DEFAULT_NAME);
		if (refusal.isUnsafe()) {
			return analysis(refusal, "The tables in schema '" + schema + "' cannot be relied on:", refusal.problems(),
					"Run one of the statements of each line, as the owner of the tables or as a superuser. Then start the "
							+ "application again.");
		}
		String headline = refusal.problems().isEmpty() ? String.valueOf(refusal.getMessage())
				: "Schema '" + schema + "' does not hold the tables that projectors need:";
		return analysis(refusal, headline, refusal.problems(), tablesFor(schema));
	}

	private String tablesFor(String schema) {
		SchemaMode mode = Binder.get(this.environment)
			.bind("eventing.schema.mode", SchemaMode.class)
			.orElse(SchemaMode.VALIDATE);
		if (mode == SchemaMode.MIGRATE) {
			return "Find out why the migration is blocked. If the tables are created by other means, set "
					+ "'eventing.schema.mode=validate'.";
		}
		return "Set 'eventing.schema.mode=migrate' to have the tables created, or run the SQL printed by "
				+ "'java -cp eventing-migrations.jar dev.eventing.migrations.EventingMigrations " + schema
				+ "'. If they are in another schema, set 'eventing.schema.name'.";
	}

	private static @Nullable String action(EventingException refusal) {
		return ACTIONS.get(refusal.getClass());
	}

	private static FailureAnalysis analysis(EventingException refusal, String headline, List<String> problems,
			@Nullable String action) {
		String description = problems.isEmpty() ? headline : ProblemList.under(headline, problems);
		return new FailureAnalysis(description, action, refusal);
	}

}
