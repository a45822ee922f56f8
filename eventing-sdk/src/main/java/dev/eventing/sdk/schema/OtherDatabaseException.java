package dev.eventing.sdk.schema;

import javax.sql.DataSource;

import dev.eventing.sdk.OperatorMustActException;

/**
 * The tables would be created in another database than the one that the application uses.
 * The application does not start, and no database has changed.
 */
public class OtherDatabaseException extends OperatorMustActException {

	private static final long serialVersionUID = 1L;

	private OtherDatabaseException(String message) {
		super(message);
	}

	/**
	 * Refuses to migrate another database.
	 * @throws OtherDatabaseException if the two reach different databases
	 * @throws org.springframework.dao.DataAccessException if one of them does not answer
	 */
	static void throwIfOther(DataSource migrating, DataSource application, EventingSchema schema) {
		if (!SameDatabase.of(application, migrating)) {
			throw new OtherDatabaseException("The MigrationDataSource reaches database " + SameDatabase.name(migrating)
					+ ", but the DataSource of the application reaches database " + SameDatabase.name(application)
					+ ", so the application would not find the tables of schema '" + schema.name()
					+ "'. Consider a MigrationDataSource of the same database, or none: then the"
					+ " DataSource of the application creates the tables.");
		}
	}

}
