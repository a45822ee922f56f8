package dev.eventing.sdk.schema;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import dev.eventing.sdk.UnavailableException;
import dev.eventing.sdk.jdbc.Causes;

import org.springframework.dao.DataAccessException;

/**
 * The database gave no connection at start-up, or did not answer in time, so the SDK
 * cannot check its tables. The application does not start. It can be started again later.
 */
public class DatabaseUnavailableException extends UnavailableException {

	private static final long serialVersionUID = 1L;

	/** The parameter that the server names, whatever the language of its messages is. */
	private static final String TIME_ZONE = "TimeZone";

	private DatabaseUnavailableException(String message, Throwable cause) {
		super(message, cause);
	}

	static DatabaseUnavailableException of(EventingSchema schema, Throwable cause) {
		String why = rootMessage(cause);
		return new DatabaseUnavailableException("The database cannot be reached to look for the tables of schema '"
				+ schema.name() + "': " + why + " " + advice(why), cause);
	}

	static DatabaseUnavailableException silent(EventingSchema schema, Duration longest, Throwable cause) {
		return new DatabaseUnavailableException("The database does not answer within " + longest.toMillis()
				+ " ms to a statement that looks at the tables of schema '" + schema.name() + "': " + rootMessage(cause)
				+ " Consider whether PostgreSQL and the network to it stand still, whether a"
				+ " transaction locks the tables, and eventing.jdbc.statement-timeout if it is only slow.", cause);
	}

	/**
	 * Refuses connections for migrations that do not answer.
	 * @param bean whose connections they are, as the beginning of a sentence
	 * @throws DatabaseUnavailableException if they do not answer
	 */
	public static void throwIfAway(String bean, DataSource migrating) {
		try {
			SameDatabase.name(migrating);
		}
		catch (RuntimeException ex) {
			if (ex instanceof DataAccessException || isSql(ex)) {
				throw ofMigrations(bean, ex);
			}
			throw ex;
		}
	}

	private static DatabaseUnavailableException ofMigrations(String bean, Throwable cause) {
		String why = rootMessage(cause);
		String advice = why.contains(TIME_ZONE) ? advice(why)
				: "Consider whether PostgreSQL runs, the URL, user and password of that bean, and a MigrationDataSource of"
						+ " the SDK's database if that bean is for another one.";
		return new DatabaseUnavailableException(bean + " has connections that do not answer, so it is not known whether"
				+ " they may create the SDK's tables: " + why + " " + advice, cause);
	}

	/** The driver begins each session with the time zone of the JVM. */
	private static String advice(String why) {
		return why.contains(TIME_ZONE)
				? "Consider a time zone that PostgreSQL knows, such as UTC by '-Duser.timezone=UTC' for the JVM."
				: "Consider whether PostgreSQL runs, and the URL, user and password of the DataSource.";
	}

	/** Whether an {@link SQLException} is among its causes. */
	static boolean isSql(Throwable failure) {
		return Causes.of(failure).stream().anyMatch(SQLException.class::isInstance);
	}

	/**
	 * The message of the driver. It names server and port, but no password. If no driver
	 * was asked, as by a DataSource that routes, that of the last cause.
	 */
	private static String rootMessage(Throwable failure) {
		boolean sql = isSql(failure);
		String message = Causes.of(failure)
			.stream()
			.filter((cause) -> cause instanceof SQLException || !sql)
			.map(Throwable::getMessage)
			.filter(Objects::nonNull)
			.reduce((one, next) -> next)
			.orElse(String.valueOf(failure.getMessage()));
		return message.endsWith(".") ? message : message + ".";
	}

}
