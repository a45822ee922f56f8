package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.ProjectorOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

/** Tells what a failure is about: the event, or the database at this moment. */
public final class FailureClassifier {

	private static final String DEADLOCK = "40P01";

	private static final Set<String> CONTENTION = Set.of("40001", DEADLOCK, "55P03");

	/** A server that takes no writes, as one that is no primary any more. */
	private static final String READ_ONLY = "25006";

	/** A statement, a session between two of them, or a transaction took too long. */
	private static final Set<String> TIME_OUTS = Set.of("57014", "25P03", "25P04");

	private final ProjectorOptions options;

	public FailureClassifier(ProjectorOptions options) {
		this.options = options;
	}

	/**
	 * Whether the database was out of reach or transactions got in each other's way,
	 * which says nothing about the event: SQL states 08 (connection), 53 (resources), 57P
	 * (shut down), 40001 (serialization), 40P01 (deadlock), 55P03 (lock not available),
	 * 25006 (takes no writes); a connection that is closed; or a rollback that failed.
	 */
	public static boolean isTransient(Throwable failure) {
		return anyCause(failure, (cause) -> isFailedRollback(cause) || isClosedConnection(cause)
				|| cause instanceof CannotCreateTransactionException
				|| cause instanceof CannotGetJdbcConnectionException
				|| cause instanceof DataAccessResourceFailureException || cause instanceof SQLRecoverableException
				|| cause instanceof SQLNonTransientConnectionException
				|| cause instanceof SQLTransientConnectionException
				|| (cause instanceof SQLException sql && isTransient(sql.getSQLState())));
	}

	/** Spring throws that in place of the error that led to the rollback. */
	private static boolean isFailedRollback(Throwable failure) {
		return failure instanceof TransactionSystemException system && system.getApplicationException() != null;
	}

	/**
	 * A pool that has given a connection up says so without any SQL state, whatever is
	 * called on it: a statement, or the rollback after the error by which it was lost,
	 * which then stands in place of that error. Whatever the server refuses has a state.
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
	 * Whether something took longer than the server, or somebody who cancelled it, would
	 * have it. Of a statement of the SDK's own that says nothing about the event.
	 */
	public static boolean isTimeOut(Throwable failure) {
		return anyCause(failure,
				(cause) -> cause instanceof SQLException sql && TIME_OUTS.contains(String.valueOf(sql.getSQLState())));
	}

	/** Whether it was rolled back so that a transaction it waited for could go on. */
	public static boolean isDeadlock(Throwable failure) {
		return anyCause(failure, (cause) -> cause instanceof SQLException sql && DEADLOCK.equals(sql.getSQLState()));
	}

	/**
	 * Throws an error again that tells of the process and not of the event: no memory, a
	 * virtual machine that is broken. A stack that overflows is the event's own doing.
	 */
	public static void rethrowIfOfTheProcess(Throwable failure) {
		if (failure instanceof VirtualMachineError error && !(failure instanceof StackOverflowError)) {
			throw error;
		}
	}

	/** Whether another attempt may help, by the projector's retryFor and noRetryFor. */
	public boolean isRetryable(Throwable failure) {
		if (DeadLetterPolicy.isOneOf(failure, this.options.retry().noRetryFor())) {
			return false;
		}
		return this.options.retry().retryFor().isEmpty()
				|| DeadLetterPolicy.isOneOf(failure, this.options.retry().retryFor());
	}

	private static boolean anyCause(Throwable failure, Predicate<Throwable> condition) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (condition.test(cause)) {
				return true;
			}
		}
		return false;
	}

}
