package dev.eventing.sdk.schema;

import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Migrates or validates the SDK's tables, according to the {@link SchemaMode}. Runs once
 * at start, before the first projector, and outside any transaction.
 */
public final class SchemaInitializer {

	private static final Logger logger = LoggerFactory.getLogger(SchemaInitializer.class);

	private final DataSource dataSource;

	private final DataSource migrating;

	private final EventingSchema schema;

	private final SchemaMode mode;

	/** Migrates with the connections of the application. */
	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode) {
		this(dataSource, schema, mode, null);
	}

	/**
	 * Creates an initializer.
	 * @param dataSource the connections of the application
	 * @param migrations the connections with which tables are created, or null for those
	 * of the application
	 */
	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode,
			@Nullable MigrationDataSource migrations) {
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.migrating = (migrations != null) ? migrations.dataSource() : dataSource;
		this.schema = Objects.requireNonNull(schema, "schema");
		this.mode = Objects.requireNonNull(mode, "mode");
	}

	/**
	 * Migrates, validates or does nothing. Several nodes may call it at the same time. A
	 * second call changes nothing. Each script runs in one transaction: after a crash it
	 * is applied completely or not at all, and the next start continues there.
	 * @throws SchemaNotReadyException if tables, columns or keys are missing afterwards,
	 * or rights to them (it lists all of them), if a script failed, or if the encoding of
	 * the database is not UTF8
	 * @throws DatabaseUnavailableException if the database gives no connection
	 * @throws FlywayMissingException if the mode is {@link SchemaMode#MIGRATE} and Flyway
	 * is not on the class path
	 */
	public void initialize() {
		switch (this.mode) {
			case MIGRATE -> {
				FlywayMissingException.throwIfMissing(this.schema, SchemaInitializer.class.getClassLoader());
				connect();
				migrate();
				validate();
			}
			case VALIDATE -> {
				connect();
				validate();
			}
			case NONE -> logger.debug("Schema '{}' is neither migrated nor validated", this.schema.name());
		}
	}

	/**
	 * Checks first that there is a database: the errors of Flyway and Spring would hide
	 * that cause.
	 */
	private void connect() {
		try {
			DataSourceUtils.releaseConnection(DataSourceUtils.getConnection(this.dataSource), this.dataSource);
		}
		catch (RuntimeException ex) {
			// a pool that opens its first connection here throws an exception of its own
			if (ex instanceof CannotGetJdbcConnectionException || DatabaseUnavailableException.isSql(ex)) {
				throw DatabaseUnavailableException.of(this.schema, ex);
			}
			throw ex;
		}
		DatabaseEncoding.require(this.dataSource);
	}

	private void migrate() {
		FlywayMigration.run(this.migrating, this.schema);
		if (this.migrating != this.dataSource) {
			new RoleGrants(this.migrating, this.schema).giveTo(this.dataSource);
		}
	}

	private void validate() {
		new SchemaValidator(this.dataSource, this.schema).validate();
		logger.debug("Schema '{}' has all that is needed", this.schema.name());
	}

}
