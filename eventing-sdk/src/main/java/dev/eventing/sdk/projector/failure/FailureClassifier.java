package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

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

	private static final Set<String> CONTENTION = Set.of("40001", DEADLOCK, "55P03");

	/** PostgreSQL does not support what a statement does. */
	private static final String UNSUPPORTED = "0A000";

	/** The server accepts no writes, for example because it is no longer the primary. */
	private static final String READ_ONLY = "25006";

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
	 * Whether a failure is transient. Then the database was unreachable, or transactions
	 * conflicted, and the failure is not about the event: SQL states 08 (connection), 53
	 * (resources), 57P (shutdown), 40001 (serialization), 40P01 (deadlock), 55P03 (lock
	 * not available) and 25006 (accepts no writes); a closed connection; no connection or
	 * transaction available; a failed rollback; or a statement that was prepared when its
	 * tables had other columns. What PostgreSQL does not support is the event's own, also
	 * where the pool closed the connection because of it, so that the rollback failed.
	 */
	public static boolean isTransient(Throwable failure) {
		return !isUnsupported(original(failure)) && anyCause(failure, (cause) -> isFailedRollback(cause)
				|| isClosedConnection(cause) || cause instanceof CannotCreateTransactionException
				|| cause instanceof CannotGetJdbcConnectionException
				|| cause instanceof DataAccessResourceFailureException || cause instanceof SQLRecoverableException
				|| cause instanceof SQLNonTransientConnectionException
				|| cause instanceof SQLTransientConnectionException || (cause instanceof SQLException sql
						&& (isTransient(sql.getSQLState()) || OutdatedPlan.isMetBy(sql))));
	}

	/** HikariCP closes the connection at each error with this SQL state. */
	private static boolean isUnsupported(Throwable failure) {
		return anyCause(failure, (cause) -> cause instanceof SQLException sql && UNSUPPORTED.equals(sql.getSQLState())
				&& !OutdatedPlan.isMetBy(sql));
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

	private static boolean isTransient(@Nullable String sqlState) {
		return sqlState != null && (sqlState.startsWith("08") || sqlState.startsWith("53") || sqlState.startsWith("57P")
				|| CONTENTION.contains(sqlState) || READ_ONLY.equals(sqlState));
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
		if (isUnsupported(original(failure))) {
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
		Set<Throwable> seen = new HashSet<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (condition.test(cause)) {
				return cause;
			}
		}
		return null;
	}

}
