package dev.eventing.sdk.projector;

import java.util.Map;

import dev.eventing.sdk.projector.write.Additions;
import org.jspecify.annotations.Nullable;

/**
 * Writes of a handler that are carried out later, together with those of the other events
 * of its batch: a handler that declares it as its last parameter hands its statements
 * over, and the projector sends them before the commit, many at a time. A statement per
 * event then costs no round trip per event.
 *
 * <p>
 * Everything happens in the transaction of the batch, on its connection: what is queued
 * commits together with the events' rows in {@code processed_events} or not at all, also
 * after a redelivery or a crash. When a queued write fails, the batch rolls back and its
 * events run again in smaller parts until the one whose write fails is found; that is its
 * attempt.
 *
 * <p>
 * Not for handlers that read what they wrote: queries see nothing that is queued, unless
 * {@link #flush()} was called; additions are never seen before the commit. Valid only
 * while the handler runs, and only on its thread.
 */
public interface ReadModelWriter {

	/**
	 * Queues an insert, update or delete. The writes of one key are carried out in the
	 * order they were queued. Writes of different keys are not: they may be grouped by
	 * their statement, so they must not depend on each other.
	 * @param sql the statement, with {@code ?} for each argument; the same text for the
	 * same statement, since writes are grouped by it
	 * @param args its arguments, as {@code JdbcTemplate.update} takes them; copied
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void update(String sql, @Nullable Object... args);

	/**
	 * Adds to columns of one row, which is inserted if it does not exist: the row of a
	 * roll-up that many events add to. All additions of a batch to one row become one
	 * change of it, and all rows are changed at the end of the transaction in one order,
	 * so that lanes which add to the same rows wait for each other but never deadlock.
	 * @param table the table, with its schema if it needs one
	 * @param key the columns of the row's primary key, or of a unique constraint, and
	 * their values, none null
	 * @param deltas the columns to add to, and by how much, each rounded to the decimals
	 * its column keeps; a {@code double} is the decimal number it prints as. The columns
	 * are null-free in the table, or null counts as zero; their default is zero or null.
	 * @throws IllegalArgumentException if a name is no plain identifier, a value is null,
	 * or there is no key or no delta
	 * @throws InvalidAdditionException if there is no such table or column, the key is
	 * none, or a column is no number
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void add(String table, Map<String, ?> key, Map<String, ? extends Number> deltas);

	/**
	 * Carries out the updates queued so far, of all events of the batch, so that queries
	 * of this handler see them. Additions stay queued.
	 * @throws org.springframework.dao.DataAccessException if one fails; let it through
	 * @throws IllegalStateException if the handler has returned, or on another thread
	 */
	void flush();

}
