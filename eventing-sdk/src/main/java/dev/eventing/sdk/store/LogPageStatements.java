package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.schema.RowSecurity;
import org.jspecify.annotations.Nullable;

/**
 * The statements that read a page of the log. Each also checks that this is the log that
 * was read before, and that it hides no event. Thread-safe.
 */
final class LogPageStatements {

	/** The column after those of {@link StoredRows}. */
	static final int BYTES_SO_FAR = 12;

	/** A position that no event has. */
	private static final long NOWHERE = 0;

	private final String table;

	private final StoredRows rows;

	private final String whole;

	private final String envelopes;

	LogPageStatements(String table, StoredRows rows) {
		this.table = table;
		this.rows = rows;
		// If a table has grown since the last analyze, the planner assumes that it is
		// small; it would read and sort all of it for each page, and keep that plan until
		// the next analyze. So sorting is disabled. Both statements are sent together and
		// form one transaction, at whose end the setting ends. The first one also checks
		// that this is the log that was read before: one more lookup by the primary key,
		// and one read of the sequence. And it checks that no event is hidden from the
		// role, which may change at any time: a hidden event would look like a hole that
		// nothing fills any more.
		String checks = """
				select set_config('enable_sort', 'off', true),
				       coalesce(pg_sequence_last_value(pg_get_serial_sequence('%1$s', 'global_position')), 0),
				       (select event_id from %1$s where global_position = ?), %2$s, current_user;
				""".formatted(table, RowSecurity.hidesRowsOf(table));
		this.whole = checks + summed(table, "%s", "<");
		this.envelopes = checks + "select %s from %s where global_position > ? order by global_position limit %%s"
			.formatted(StoredRows.ENVELOPE, table);
	}

	/**
	 * By the primary key. The running sum ends the page before texts are made, so that no
	 * process holds a page of large events. The limit is not a parameter of pages,
	 * because PostgreSQL would then plan each page again instead of using one generic
	 * plan.
	 */
	static String summed(String table, String limit, String comparison) {
		return """
				select %1$s, bytes_so_far from (
				  select rows.*, sum(text_bytes) over (order by global_position rows unbounded preceding) as bytes_so_far
				    from (select %2$s from %3$s where global_position > ? order by global_position limit %4$s) rows) summed
				 where bytes_so_far - text_bytes %5$s ? order by global_position
				"""
			.formatted(StoredRows.COLUMNS, StoredRows.STORED, table, limit, comparison);
	}

	/** A page of whole events, on this connection. */
	Rows whole(Connection connection, long after, @Nullable Anchor anchor, int limit, long maxBytes)
			throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.whole.formatted(limit))) {
			statement.setLong(3, maxBytes);
			execute(statement, after, anchor);
			return rows(statement);
		}
	}

	/** A page of events without payload, key and headers, on this connection. */
	Rows envelopes(Connection connection, long after, @Nullable Anchor anchor, int limit) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.envelopes.formatted(limit))) {
			execute(statement, after, anchor);
			List<StoredEvent> events = new ArrayList<>();
			try (ResultSet row = statement.getResultSet()) {
				while (row.next()) {
					events.add(this.rows.envelope(row));
				}
				return new Rows(events, 0, null);
			}
			catch (UnreadableEventException ex) {
				return new Rows(events, 0, ex);
			}
		}
	}

	private void execute(PreparedStatement statement, long after, @Nullable Anchor anchor) throws SQLException {
		statement.setLong(1, (anchor != null) ? anchor.position() : NOWHERE);
		statement.setLong(2, after);
		statement.execute();
		try (ResultSet row = statement.getResultSet()) {
			row.next();
			requireAllRows(statement.getConnection(), row);
			requireSameLog(row, after, anchor);
		}
		statement.getMoreResults();
	}

	/**
	 * PostgreSQL keeps a plan that hides rows also after the role has got the right to
	 * see them, and then the next look would find nothing hidden. So the plan is dropped.
	 */
	private void requireAllRows(Connection connection, ResultSet row) throws SQLException {
		if (row.getBoolean(4)) {
			String role = row.getString(5);
			try (Statement statement = connection.createStatement()) {
				statement.execute("discard plans");
			}
			throw UnsafePositionsException.hidden(this.table, role);
		}
	}

	private void requireSameLog(ResultSet row, long after, @Nullable Anchor anchor) throws SQLException {
		if (anchor == null) {
			return;
		}
		if (!anchor.eventId().equals(row.getObject(3, UUID.class))) {
			throw LogSetBackException.without(anchor.position(), anchor.eventId(), this.table);
		}
		if (row.getLong(2) < after) {
			throw LogSetBackException.behind(after, row.getLong(2), this.table);
		}
	}

	/** The events of a result with the sizes of texts, up to one that is unreadable. */
	Rows rows(PreparedStatement statement) throws SQLException {
		List<StoredEvent> events = new ArrayList<>();
		long bytes = 0;
		try (ResultSet row = statement.getResultSet()) {
			while (row.next()) {
				events.add(this.rows.read(row));
				bytes = row.getLong(BYTES_SO_FAR);
			}
			return new Rows(events, bytes, null);
		}
		catch (UnreadableEventException ex) {
			return new Rows(events, bytes, ex);
		}
	}

	/**
	 * A returned event, by which the log is recognised.
	 *
	 * @param position its position
	 * @param eventId the event
	 */
	record Anchor(long position, UUID eventId) {

		static Anchor of(StoredEvent stored) {
			return new Anchor(stored.position(), stored.event().id());
		}

	}

	/**
	 * A page.
	 *
	 * @param events in the order of positions
	 * @param bytes the size of their payloads and metadata as JSON texts
	 * @param unreadable the unreadable event that ends the page early, or null
	 */
	record Rows(List<StoredEvent> events, long bytes, @Nullable UnreadableEventException unreadable) {
	}

}
