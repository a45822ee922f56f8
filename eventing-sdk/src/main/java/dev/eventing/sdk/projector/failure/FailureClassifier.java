package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import java.util.function.Predicate;

import dev.eventing.sdk.jdbc.Causes;
import dev.eventing.sdk.jdbc.OutdatedPlan;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;

/**
 * Decides whether a failure is about the event or about the current state of the
 * database.
 */
public final class FailureClassifier {

	private static final String DEADLOCK = "40P01";

	/**
	 * Features that the server does not support (0A), and limits of the server (54) or
	 * its configuration (53400), such as that of temporary files.
	 */
	private static final Set<String> REFUSED = Set.of("0A", "54", "53400");

	/**
	 * Resources (53), a crash or a start of the server, a database that was dropped, a
	 * connection that was not to be had, errors of the machine (58), and conflicts.
	 */
	private static final Set<String> OF_DATABASE = Set.of("53", "57P02", "57P03", "57P04", "08001", "08004", "58",
			"40001", DEADLOCK, "25006");

	private static final Set<String> CONTENTION = Set.of("40001", DEADLOCK);

	/** A session that ended, and a lock that was not to be had. */
	private static final Set<String> OF_EITHER = Set.of("08", "57P", "55P03");

	/**
	 * A statement, an idle session in a transaction, or a transaction exceeded its time
	 * limit.
	 */
	private static final Set<String> TIME_OUTS = Set.of("57014", "25P03", "25P04");

	/** An idle session in a transaction, or a transaction, exceeded its time limit. */
	private static final Set<String> SESSION_TIME_OUTS = Set.of("25P03", "25P04");

	private final ProjectorOptions options;

	public FailureClassifier(ProjectorOptions options) {
		this.options = options;
	}

	/**
	 * Whether a failure may be about the current state of the database, and not about the
	 * event.
	 */
	public static boolean isTransient(Throwable failure) {
		return blame(failure) != Blame.EVENT;
	}

	/**
	 * The side that caused a failure, as far as it shows. {@link Blame#DATABASE}: SQL
	 * states 53 (resources, but not 53400), 57P02 to 57P04 (the server crashed, starts,
	 * or has no such database), 08001 and 08004 (no connection), 58 (the machine), 40001
	 * (serialization), 40P01 (deadlock) and 25006 (accepts no writes); no connection or
	 * transaction available; or a statement that was prepared when its tables had other
	 * columns. {@link Blame#EITHER}: other states of 08 and 57P, such as that of a
	 * time-out of the driver or a session that was ended; 55P03 (lock not available); a
	 * closed connection; or a failed rollback. What PostgreSQL does not support (0A) or a
	 * limit forbids (53400, 54) is the event's own, also where the pool closed the
	 * connection because of it, so that the rollback failed.
	 */
	public static Blame blame(Throwable failure) {
		if (anyCause(original(failure), FailureClassifier::isRefused)) {
			return Blame.EVENT;
		}
		if (anyCause(failure, FailureClassifier::isOfDatabase)
				|| anyCause(original(failure), FailureClassifier::isOfDatabase)) {
			return Blame.DATABASE;
		}
		return anyCause(failure, FailureClassifier::isOfEither) ? Blame.EITHER : Blame.EVENT;
	}

	/** HikariCP closes the connection at some of these errors. */
	private static boolean isRefused(Throwable failure) {
		return failure instanceof SQLException sql && beginsWithOneOf(REFUSED, sql) && !OutdatedPlan.isMetBy(sql);
	}

	private static boolean isOfDatabase(Throwable failure) {
		return failure instanceof CannotCreateTransactionException
				|| failure instanceof CannotGetJdbcConnectionException
				|| failure instanceof SQLTransientConnectionException || (failure instanceof SQLException sql
						&& (beginsWithOneOf(OF_DATABASE, sql) || OutdatedPlan.isMetBy(sql)));
	}

	private static boolean isOfEither(Throwable failure) {
		return isFailedRollback(failure) || isClosedConnection(failure)
				|| failure instanceof DataAccessResourceFailureException || failure instanceof SQLRecoverableException
				|| failure instanceof SQLNonTransientConnectionException
				|| (failure instanceof SQLException sql && beginsWithOneOf(OF_EITHER, sql));
	}

	private static boolean beginsWithOneOf(Set<String> beginnings, SQLException failure) {
		String state = failure.getSQLState();
		return state != null && beginnings.stream().anyMatch(state::startsWith);
	}

	/** Spring throws this exception in place of the error that caused the rollback. */
	private static boolean isFailedRollback(Throwable failure) {
		return failure instanceof TransactionSystemException system && system.getApplicationException() != null;
	}

	/**
	 * A pool that has closed a connection throws an error without an SQL state at each
	 * call on it: at a statement, or at the rollback after the error that lost the
	 * connection. The rollback's error then replaces that error. Errors from the server
	 * always have an SQL state.
	 */
	private static boolean isClosedConnection(Throwable failure) {
		return failure instanceof SQLException sql && sql.getSQLState() == null
				&& !anyCause(failure, (cause) -> cause instanceof SQLException other && other.getSQLState() != null);
	}

	/**
	 * Whether a statement or transaction exceeded a time limit or was cancelled. If it is
	 * one of the SDK's own statements, the failure is not about the event.
	 */
	public static boolean isTimeOut(Throwable failure) {
		return anyCause(failure,
				(cause) -> cause instanceof SQLException sql && TIME_OUTS.contains(String.valueOf(sql.getSQLState())));
	}

	/**
	 * Whether a transaction of the SDK's own may succeed later. One that was marked for a
	 * rollback would be marked again.
	 * @param failure what the transaction threw
	 * @param error the error behind it
	 */
	public static boolean isTemporary(Throwable failure, Throwable error) {
		if (anyCause(original(failure), FailureClassifier::isRefused)) {
			return false;
		}
		return (failure instanceof TransactionException && !(failure instanceof UnexpectedRollbackException))
				|| isTransient(error) || isTimeOut(error);
	}

	/**
	 * Whether the server ended the session because its transaction was idle or lasted too
	 * long. The database is well then: the handler's own work took that time.
	 */
	public static boolean isSessionTimeOut(Throwable failure) {
		return anyCause(original(failure), (cause) -> cause instanceof SQLException sql
				&& SESSION_TIME_OUTS.contains(String.valueOf(sql.getSQLState())));
	}

	/** The error that caused a rollback, if the rollback failed, too. */
	public static Throwable original(Throwable failure) {
		Throwable original = (failure instanceof TransactionSystemException system) ? system.getApplicationException()
				: null;
		return (original != null) ? original : failure;
	}

	/** Whether transactions conflicted: the server has all that it needs. */
	public static boolean isContention(Throwable failure) {
		return anyCause(failure,
				(cause) -> cause instanceof SQLException sql && CONTENTION.contains(String.valueOf(sql.getSQLState())));
	}

	/** Whether PostgreSQL rolled the transaction back because of a deadlock. */
	public static boolean isDeadlock(Throwable failure) {
		return anyCause(failure, (cause) -> cause instanceof SQLException sql && DEADLOCK.equals(sql.getSQLState()));
	}

	/**
	 * Rethrows an error that is about the process and not about the event: out of memory,
	 * or a broken virtual machine. A stack overflow counts as a failure of the event.
	 */
	public static void rethrowIfOfTheProcess(Throwable failure) {
		if (failure instanceof VirtualMachineError error && !(failure instanceof StackOverflowError)) {
			throw error;
		}
	}

	/** Whether the projector's retryFor and noRetryFor allow another attempt. */
	public boolean isRetryable(Throwable failure) {
		if (DeadLetterPolicy.isOneOf(failure, this.options.get(ProjectorSettings::noRetryFor))) {
			return false;
		}
		return this.options.get(ProjectorSettings::retryFor).isEmpty()
				|| DeadLetterPolicy.isOneOf(failure, this.options.get(ProjectorSettings::retryFor));
	}

	private static boolean anyCause(Throwable failure, Predicate<Throwable> condition) {
		return find(failure, condition) != null;
	}

	/**
	 * The first of a failure and its causes that meets the condition; null if none does.
	 */
	static @Nullable Throwable find(Throwable failure, Predicate<Throwable> condition) {
		return Causes.of(failure).stream().filter(condition).findFirst().orElse(null);
	}

}
