package dev.eventing.sdk.schema;

import dev.eventing.sdk.OperatorMustActException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The schema mode is {@link SchemaMode#MIGRATE}, but Flyway or its PostgreSQL module is
 * missing.
 */
public class FlywayMissingException extends OperatorMustActException {

	static final String CORE = "org.flywaydb.core.Flyway";

	static final String POSTGRESQL = "org.flywaydb.database.postgresql.PostgreSQLDatabaseType";

	private static final long serialVersionUID = 1L;

	FlywayMissingException(String artifact, EventingSchema schema) {
		super("Schema mode MIGRATE needs 'org.flywaydb:" + artifact
				+ "', which is not on the class path. Consider adding 'org.flywaydb:flyway-core' and "
				+ "'org.flywaydb:flyway-database-postgresql', or eventing.schema.mode=validate and running the SQL "
				+ schema.printedBy() + " yourself.");
	}

	// Both are looked up by name, because this class must load without Flyway.
	static void throwIfMissing(EventingSchema schema, @Nullable ClassLoader classLoader) {
		if (!ClassUtils.isPresent(CORE, classLoader)) {
			throw new FlywayMissingException("flyway-core", schema);
		}
		if (!ClassUtils.isPresent(POSTGRESQL, classLoader)) {
			throw new FlywayMissingException("flyway-database-postgresql", schema);
		}
	}

}
