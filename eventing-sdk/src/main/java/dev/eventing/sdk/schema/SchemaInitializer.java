package dev.eventing.sdk.schema;

import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.JdbcOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Migrates or validates the SDK's tables, according to the {@link SchemaMode}. Runs once
 * at start, before the first projector, and outside any transaction.
 */
public final class SchemaInitializer {

	private static final Logger logger = LoggerFactory.getLogger(SchemaInitializer.class);

	/**
	 * The time limit of a migration's statement, and of the wait for a node that runs it.
	 * It may build an index over many events.
	 */
	static final Duration MIGRATES_WITHIN = Duration.ofMinutes(30);

	private final DataSource dataSource;

	private final Supplier<@Nullable MigrationDataSource> migrations;

	private final Duration statementTimeout;

	private final EventingSchema schema;

	private final SchemaMode mode;

	/** Migrates with the connections of the application. */
	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode) {
		this(dataSource, schema, mode, null);
	}

	/** As the other, with statements of the check that may take ten seconds. */
	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode,
			@Nullable MigrationDataSource migrations) {
		this(dataSource, schema, mode, () -> migrations, JdbcOptions.DEFAULT_STATEMENT_TIMEOUT);
	}

	/**
	 * Creates an initializer.
	 * @param dataSource the connections of the application
	 * @param migrations the connections with which tables are created, or null for those
	 * of the application; asked only with {@link SchemaMode#MIGRATE}, once there is a
	 * database
	 * @param statementTimeout how long a statement of the check may take, so that a
	 * database which is silent does not hang the start
	 */
	public SchemaInitializer(DataSource dataSource, EventingSchema schema, SchemaMode mode,
			Supplier<@Nullable MigrationDataSource> migrations, Duration statementTimeout) {
		this.dataSource = BoundedDataSource.of(Objects.requireNonNull(dataSource, "dataSource"), statementTimeout);
		this.migrations = Objects.requireNonNull(migrations, "migrations");
		this.statementTimeout = statementTimeout;
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
	 * @throws DatabaseUnavailableException if the database gives no connection, or does
	 * not answer in time; the same for that of the {@link MigrationDataSource}
	 * @throws OtherDatabaseException if the {@link MigrationDataSource} reaches another
	 * database than the application
	 * @throws FlywayMissingException if the mode is {@link SchemaMode#MIGRATE} and Flyway
	 * is not on the class path
	 */
	public void initialize() {
		try {
			run();
		}
		catch (DataAccessException ex) {
			if (isSilence(ex)) {
				throw DatabaseUnavailableException.silent(this.schema, this.statementTimeout, ex);
			}
			throw ex;
		}
	}

	/** A statement that took too long, or whose connection was closed for that. */
	private static boolean isSilence(DataAccessException failure) {
		return failure instanceof QueryTimeoutException || failure instanceof DataAccessResourceFailureException
				|| failure.getCause() instanceof SQLTimeoutException;
	}

	private void run() {
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
			// a pool that opens its first connection here throws its own exception
			if (ex instanceof CannotGetJdbcConnectionException || DatabaseUnavailableException.isSql(ex)) {
				throw DatabaseUnavailableException.of(this.schema, ex);
			}
			throw ex;
		}
		DatabaseEncoding.require(this.dataSource);
	}

	private void migrate() {
		MigrationDataSource own = this.migrations.get();
		if (own == null) {
			FlywayMigration.run(BoundedDataSource.of(this.dataSource, MIGRATES_WITHIN), this.schema, MIGRATES_WITHIN);
			return;
		}
		DataSource asked = BoundedDataSource.of(own.dataSource(), this.statementTimeout);
		DatabaseUnavailableException.throwIfAway("The MigrationDataSource", asked);
		OtherDatabaseException.throwIfOther(asked, this.dataSource, this.schema);
		DataSource migrating = BoundedDataSource.of(own.dataSource(), MIGRATES_WITHIN);
		FlywayMigration.run(migrating, this.schema, MIGRATES_WITHIN);
		new RoleGrants(migrating, this.schema).giveTo(this.dataSource);
	}

	private void validate() {
		new SchemaValidator(this.dataSource, this.schema).validate();
		logger.debug("Schema '{}' has all that is needed", this.schema.name());
	}

}
