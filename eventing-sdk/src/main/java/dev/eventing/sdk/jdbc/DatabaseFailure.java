package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** Describes a failure of the database in one sentence, for a log or a status. */
public final class DatabaseFailure {

	/** The longest text of {@link #brief} and {@link #lasting}, in characters. */
	private static final int LONGEST = 500;

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final String RIGHT_MISSING = "42501";

	private DatabaseFailure() {
	}

	/**
	 * The class and the message of the most specific cause: the last {@link SQLException}
	 * with a message, which comes from the driver or the pool and names the server.
	 * Without one, the last cause that has a message: a broken connection often ends in a
	 * cause without a message.
	 * @return a text without a full stop at its end; the class alone if no cause has a
	 * message
	 */
	public static String describe(Throwable failure) {
		Throwable told = told(failure);
		return hasMessage(told)
				? told.getClass().getSimpleName() + ": " + withoutFullStop(String.valueOf(told.getMessage()))
				: failure.getClass().getSimpleName();
	}

	/**
	 * As {@link #describe}, in one line and with values cut, for a status. Leaves out
	 * what the driver adds in further lines, such as a row.
	 */
	public static String brief(Throwable failure) {
		Throwable told = told(failure);
		return hasMessage(told) ? told.getClass().getSimpleName() + ": " + line(told)
				: failure.getClass().getSimpleName();
	}

	/**
	 * What is wrong, in the words of the database, if one of the SDK's own statements
	 * fails until somebody changes that, by its SQL state ({@link LastingStates}).
	 * @return a text without a full stop at its end; null if the failure may end by
	 * itself
	 */
	public static @Nullable String lasting(Throwable failure) {
		SQLException lasting = last(failure, LastingStates::isOneOf);
		if (lasting == null) {
			return null;
		}
		return (LastingStates.isRefusal(lasting) ? "The database refuses connections: "
				: "The SDK's tables cannot be used: ") + line(lasting)
				+ (isForWantOfGrant(lasting) ? "; a start with eventing.schema.mode=validate names the grant" : "");
	}

	/**
	 * Whether one of the SDK's own statements failed because of a refused login, or a
	 * missing table, column, function or right: with other values it fails, too.
	 */
	public static boolean isOfTables(Throwable failure) {
		return last(failure, LastingStates::isOfTables) != null;
	}

	/**
	 * Whether one of the SDK's own statements failed because another transaction or
	 * session was faster, so that its next try may succeed.
	 */
	public static boolean isPassing(Throwable failure) {
		return last(failure, LastingStates::isPassing) != null;
	}

	/** Whether a statement failed because the role lacks a right. */
	public static boolean isForWantOfRight(Throwable failure) {
		return last(failure, DatabaseFailure::lacksRight) != null;
	}

	/** The right may be another one than a start looks for, such as to a function. */
	private static boolean isForWantOfGrant(SQLException failure) {
		return lacksRight(failure) && line(failure).contains("permission denied for table");
	}

	private static boolean lacksRight(SQLException failure) {
		return RIGHT_MISSING.equals(failure.getSQLState());
	}

	/**
	 * Whether a statement failed because a lock was not to be had within its time limit.
	 */
	public static boolean isLockTimeOut(Throwable failure) {
		return last(failure, (cause) -> LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) != null;
	}

	/**
	 * The same text for failures with one cause: their SQL state, or class. If it lasts,
	 * the message too, since there may be more to correct than the first one shows.
	 */
	static String kind(Throwable failure) {
		String lasting = lasting(failure);
		if (lasting != null) {
			return lasting;
		}
		SQLException withState = last(failure, (cause) -> cause.getSQLState() != null);
		return (withState != null) ? String.valueOf(withState.getSQLState()) : told(failure).getClass().getName();
	}

	/** The last cause that has a message, from the database if there is one of it. */
	private static Throwable told(Throwable failure) {
		Throwable told = failure;
		boolean any = false;
		for (Throwable cause : Causes.of(failure)) {
			if (hasMessage(cause) && (!any || cause instanceof SQLException || !(told instanceof SQLException))) {
				told = cause;
				any = true;
			}
		}
		return told;
	}

	private static @Nullable SQLException last(Throwable failure, Predicate<SQLException> condition) {
		SQLException last = null;
		for (Throwable cause : Causes.of(failure)) {
			if (cause instanceof SQLException sql && condition.test(sql)) {
				last = sql;
			}
		}
		return last;
	}

	private static boolean hasMessage(Throwable cause) {
		String message = cause.getMessage();
		return message != null && !message.isBlank();
	}

	/** The first line of the message. */
	private static String line(Throwable cause) {
		String message = String.valueOf(cause.getMessage()).strip().lines().findFirst().orElse("");
		String cut = withoutFullStop(CutValues.in(message).replaceAll("[\\s\\p{Cntrl}]+", " "));
		return (cut.length() > LONGEST) ? cut.substring(0, LONGEST) + "..." : cut;
	}

	private static String withoutFullStop(String message) {
		String stripped = message.strip();
		return stripped.endsWith(".") ? stripped.substring(0, stripped.length() - 1) : stripped;
	}

}
