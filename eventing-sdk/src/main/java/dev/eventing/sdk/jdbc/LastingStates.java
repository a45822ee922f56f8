package dev.eventing.sdk.jdbc;

import java.sql.SQLException;
import java.util.Set;

/**
 * The SQL states with which one of the SDK's own statements fails until somebody changes
 * the database, its rights or its settings. By class, because a class has many states for
 * one kind of error. Others may end by themselves: a connection that is lost or refused
 * (08), resources (53), a shutdown (57P), a conflict of transactions (40), a server that
 * accepts no writes, as in a failover (25006), a lock (55P03), and errors within the
 * server (58, XX000).
 */
final class LastingStates {

	/**
	 * What a trigger raised that the SDK does not know (09, 27, 38, 39, P0); what the
	 * server does not support (0A); values that columns do not take any more (22); a
	 * constraint that the SDK does not know (23, 44); a refused login (28); a missing
	 * database (3D) or schema (3F); a missing right, table, column, key or function (42);
	 * a limit of the server (54).
	 */
	private static final Set<String> CLASSES = Set.of("09", "0A", "22", "23", "27", "28", "38", "39", "3D", "3F", "42",
			"44", "54", "P0");

	/**
	 * A limit that the configuration sets, something that is not in the state it must be
	 * in, such as a view in place of a table, a dropped database, and files that are
	 * damaged.
	 */
	private static final Set<String> OTHERS = Set.of("53400", "55000", "57P04", "XX001", "XX002");

	/**
	 * In these classes, and yet over at the next try: a unique key for which two
	 * transactions raced, and a prepared statement of another client of the pooler.
	 */
	private static final Set<String> PASSING = Set.of("23505", "42P05");

	private static final Set<String> OF_TABLES = Set.of("28", "3D", "3F", "42");

	private static final Set<String> REFUSALS = Set.of("28", "3D");

	private LastingStates() {
	}

	static boolean isOneOf(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && state.length() == 5 && !PASSING.contains(state) && !OutdatedPlan.isMetBy(failure)
				&& (CLASSES.contains(state.substring(0, 2)) || OTHERS.contains(state));
	}

	/** Whether the next try may succeed, although nobody changes anything. */
	static boolean isPassing(SQLException failure) {
		return PASSING.contains(String.valueOf(failure.getSQLState()));
	}

	/**
	 * Whether it keeps all statements on a table from working, whatever values they have.
	 */
	static boolean isOfTables(SQLException failure) {
		return isOneOf(failure) && OF_TABLES.contains(failure.getSQLState().substring(0, 2));
	}

	/** Whether the login was refused. */
	static boolean isRefusal(SQLException failure) {
		return REFUSALS.contains(String.valueOf(failure.getSQLState()).substring(0, 2));
	}

}
