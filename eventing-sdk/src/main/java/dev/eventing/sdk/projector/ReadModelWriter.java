package dev.eventing.sdk.projector;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Queues the writes of a handler. A handler that declares it as its last parameter queues
 * its statements here. The projector executes them before the commit, together with those
 * of the other events of the batch. So one statement per event does not cost one round
 * trip per event.
 *
 * <p>
 * All writes run in the transaction of the batch, on its connection. They commit together
 * with the events' rows in {@code processed_events} or not at all, also after a
 * redelivery or a crash. If a queued write fails, the batch rolls back. Its events run
 * again in smaller parts until the event fails alone whose write fails. This counts as an
 * attempt of that event only.
 *
 * <p>
 * Do not use it if the handler reads its own writes. Queries do not see queued updates
 * before {@link #flush()}, and the handler never sees its additions. It is valid only
 * while the handler runs, and only on the handler's thread.
 */
public interface ReadModelWriter {

	/**
	 * Queues an insert, update or delete. The projector executes the writes of one
	 * ordering key in the order in which they were queued. It groups writes of different
	 * keys by their statement, so these must not depend on each other.
	 * @param sql the statement, with {@code ?} for each argument; use the same text for
	 * the same statement, because writes are grouped by their text
	 * @param args the arguments, as for {@code JdbcTemplate.update}; the array is copied
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void update(String sql, @Nullable Object... args);

	/**
	 * Adds numbers to columns of one row, for example of a roll-up to which many events
	 * add. Inserts the row if it does not exist. All additions of a batch to one row
	 * become one change. All rows are changed at the end of the transaction, in the same
	 * order in each lane. So lanes that add to the same rows wait for each other but do
	 * not deadlock.
	 * @param table the table, with its schema if necessary
	 * @param key the columns of the row's primary key or of a unique constraint, with
	 * their values; no value is null
	 * @param deltas the columns to add to, with the amounts. Each amount is rounded to
	 * the scale of its column. A {@code double} counts as the decimal number that it
	 * prints as. A null in the column counts as zero. The column's default must be zero
	 * or null.
	 * @throws IllegalArgumentException if a name is not a plain identifier, a value is
	 * null, a number has more than 131,072 digits, or there is no key or no delta
	 * @throws InvalidAdditionException if the table or a column does not exist, no
	 * constraint makes the key unique, or a column is not a number
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas);

	/**
	 * Executes the updates queued so far, of all events of the batch, so that queries of
	 * this handler see them. Additions stay queued.
	 * @throws org.springframework.dao.DataAccessException if an update fails; do not
	 * catch it
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void flush();

}
