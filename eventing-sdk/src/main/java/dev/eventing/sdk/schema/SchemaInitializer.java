package dev.eventing.sdk.schema;

import java.util.Objects;

import javax.sql.DataSource;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Brings the SDK's tables to where the {@link SchemaMode} wants them. Runs once at start,
 * before the first projector; outside any transaction.
 */
public final class SchemaInitializer {

	private static final Logger logger = LoggerFactory.getLogger(SchemaInitializer.class);

	private final DataSource dataSource;

	private final EventingSchema schema;

	private final SchemaMode mode;

	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode) {
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.schema = Objects.requireNonNull(schema, "schema");
		this.mode = Objects.requireNonNull(mode, "mode");
	}

	/**
	 * Migrates, validates or does nothing. Several nodes may do this at once, and doing
	 * it again changes nothing. Each script is one transaction: a crash leaves it applied
	 * or not, and the next start goes on from there.
	 * @throws SchemaNotReadyException if tables, columns or keys are missing afterwards,
	 * with all of them, or if a script failed
	 * @throws DatabaseUnavailableException if the database gives no connection
	 * @throws FlywayMissingException if the mode is {@link SchemaMode#MIGRATE} and Flyway
	 * is not on the class path
	 */
	public void initialize() {
		switch (this.mode) {
			case MIGRATE -> {
				FlywayMissingException.throwIfMissing(this.schema, SchemaInitializer.class.getClassLoader());
				connect();
				FlywayMigration.run(this.dataSource, this.schema);
				validate();
			}
			case VALIDATE -> {
				connect();
				validate();
			}
			case NONE -> logger.debug("Schema '{}' is neither migrated nor validated", this.schema.name());
		}
	}

	/** Flyway and Spring would each bury in its own way that there is no database. */
	private void connect() {
		try {
			DataSourceUtils.releaseConnection(DataSourceUtils.getConnection(this.dataSource), this.dataSource);
		}
		catch (RuntimeException ex) {
			// a pool that makes its first connection now throws one of its own
			if (ex instanceof CannotGetJdbcConnectionException || DatabaseUnavailableException.isSql(ex)) {
				throw DatabaseUnavailableException.of(this.schema, ex);
			}
			throw ex;
		}
	}

	private void validate() {
		new SchemaValidator(this.dataSource, this.schema).validate();
		logger.debug("Schema '{}' has all that is needed", this.schema.name());
	}

}
