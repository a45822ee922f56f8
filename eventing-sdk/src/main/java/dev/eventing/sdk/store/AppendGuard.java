package dev.eventing.sdk.store;

import org.jspecify.annotations.Nullable;

/**
 * An SQL expression that an append evaluates once, while it has its stream's row and has
 * not drawn positions yet. It is part of the append's statement, so it costs no round
 * trip. If it takes a lock that lasts until the end of the transaction, appends that
 * exclude each other draw their positions in the order in which they commit. An append
 * that waits here has drawn none.
 *
 * <p>
 * An append that waits in a guard already holds its lock on the table of events. At a gap
 * in the positions readers of the log wait for it. So a transaction that holds what a
 * guard waits for must not wait for such a reader: PostgreSQL would not see that
 * deadlock.
 *
 * <p>
 * The expression is evaluated with the snapshot of the statement, which is older than any
 * wait in it. To read what others committed meanwhile, it must call a volatile function,
 * whose statements each have a separate snapshot at read committed. At repeatable read
 * nothing in it sees later commits. An SQL error of it fails the append, and the
 * transaction can only be rolled back.
 *
 * @param sql an expression of any type that has a text form, such as the call of a
 * function; without parameters. Each text is a separate prepared statement, so a listener
 * should have few texts.
 * @param end null, or the call of a volatile function, evaluated at the end of the
 * statement, once per event: when all events are inserted, and the conditions
 * ({@code when}) of triggers on the table of events are evaluated. Triggers after the
 * statement run later. Its result is ignored.
 */
public record AppendGuard(String sql, @Nullable String end) {

	/** Guards nothing. The result is null. */
	public static final AppendGuard NONE = new AppendGuard("null");

	/**
	 * Checks the expressions.
	 * @throws IllegalArgumentException if one has a question mark, which would be a
	 * parameter
	 */
	public AppendGuard {
		require(sql);
		if (end != null) {
			require(end);
		}
	}

	/**
	 * Evaluates nothing at the end.
	 * @throws IllegalArgumentException if the expression has a question mark
	 */
	public AppendGuard(String sql) {
		this(sql, null);
	}

	private static void require(String sql) {
		if (sql.isBlank() || sql.indexOf('?') >= 0) {
			throw new IllegalArgumentException(
					"A guard cannot be '" + sql + "'. Consider an SQL expression without parameters.");
		}
	}

}
