package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.RowSecurity;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * The SQL that reads the log. Each statement runs in a transaction and on a connection of
 * its own, even if the thread is in a transaction: with an older snapshot, a row that
 * commits late would look like a row that never comes. Thread-safe.
 */
final class LogTable {

	/** The column after those of {@link StoredRows}. */
	private static final int BYTES_SO_FAR = 12;

	/** A position that no event has. */
	private static final long NOWHERE = 0;

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final StoredRows rows;

	private final String table;

	private final String page;

	private final String visible;

	private final String find;

	private final String head;

	private final String holders;

	private final SharedLockRead lockReads = new SharedLockRead(this::findHolders);

	/** The SQL that reads the sequence; null until the sequence has been checked. */
	private volatile @Nullable String drawn;

	LogTable(DataSource dataSource, EventingSchema schema, JsonMapper mapper, EventVersions versions) {
		this.dataSource = dataSource;
		this.rows = new StoredRows(mapper, versions);
		this.table = schema.table("events");
		// All three by the primary key. The running sum ends the page before texts are
		// made, so that no process holds a page of large events. The limit is not a
		// parameter, because PostgreSQL would then plan each page again instead of using
		// one generic plan. If a table has grown since the last analyze, the planner
		// assumes that it is small; it would read and sort all of it for each page, and
		// keep that plan until the next analyze. So sorting is disabled. Both statements
		// are sent together and form one transaction, at whose end the setting ends. The
		// first one also checks that this is the log that was read before: one more
		// lookup by the primary key, and one read of the sequence. And it checks that no
		// event is hidden from the role, which may change at any time: a hidden event
		// would look like a hole that nothing fills any more.
		String summed = """
				select %1$s, bytes_so_far from (
				  select rows.*, sum(text_bytes) over (order by global_position rows unbounded preceding) as bytes_so_far
				    from (select %2$s from %3$s where global_position > ? order by global_position limit %%s) rows) summed
				 where bytes_so_far - text_bytes %%s ? order by global_position
				"""
			.formatted(StoredRows.COLUMNS, StoredRows.STORED, this.table);
		this.page = """
				select set_config('enable_sort', 'off', true),
				       coalesce(pg_sequence_last_value(pg_get_serial_sequence('%1$s', 'global_position')), 0),
				       (select event_id from %1$s where global_position = ?), %2$s, current_user;
				""".formatted(this.table, RowSecurity.hidesRowsOf(this.table)) + summed.formatted("%s", "<");
		this.visible = summed.formatted("?", "<=");
		this.find = "select %s from %s where global_position = ?".formatted(StoredRows.COLUMNS, this.table);
		this.head = "select coalesce(max(global_position), 0) from %s".formatted(this.table);
		// Reads no table: the view shows the lock manager's memory. A transaction that
		// still waits for the lock has not drawn a position.
		this.holders = """
				select l.virtualtransaction, l.pid is null
				  from pg_locks l
				 where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
				   and l.database = (select d.oid from pg_database d where d.datname = current_database())
				   and l.relation = '%s'::regclass
				""".formatted(this.table);
	}

	/**
	 * The events after a position.
	 * @param anchor the last returned event, which must still exist; null if there is
	 * none
	 * @param limit the maximum number of events
	 * @param maxBytes the page ends with the event that reaches this number of bytes,
	 * counted as the JSON texts of payload and metadata
	 * @throws LogSetBackException if the anchor is gone, or the position was not drawn
	 * @throws UnsafePositionsException if events may be hidden from the role
	 */
	Rows page(long after, @Nullable Anchor anchor, int limit, long maxBytes) {
		return execute("read the log", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(this.page.formatted(limit))) {
				statement.setLong(1, (anchor != null) ? anchor.position() : NOWHERE);
				statement.setLong(2, after);
				statement.setLong(3, maxBytes);
				statement.execute();
				try (ResultSet row = statement.getResultSet()) {
					row.next();
					requireAllRows(connection, row);
					requireSameLog(row, after, anchor);
				}
				statement.getMoreResults();
				return rows(statement);
			}
		});
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
			throw setBackBehind(after, row.getLong(2));
		}
	}

	LogSetBackException setBackBehind(long position, long drawn) {
		return LogSetBackException.behind(position, drawn, this.table);
	}

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
	 * By the primary key, in the caller's transaction. As that of a page, the statement
	 * makes no texts that are not wanted.
	 */
	Optional<List<StoredEvent>> visible(JdbcOperations transaction, long after, int most, long mostBytes) {
		return transaction.query(this.visible, (ResultSetExtractor<Optional<List<StoredEvent>>>) (row) -> {
			List<StoredEvent> events = new ArrayList<>();
			while (row.next()) {
				if (events.size() == most || row.getLong(BYTES_SO_FAR) > mostBytes) {
					return Optional.empty();
				}
				events.add(this.rows.read(row));
			}
			return Optional.of(events);
		}, after, most + 1, mostBytes);
	}

	Optional<StoredEvent> find(long position) {
		return execute("find an event", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(this.find)) {
				statement.setLong(1, position);
				try (ResultSet row = statement.executeQuery()) {
					return row.next() ? Optional.of(this.rows.read(row)) : Optional.empty();
				}
			}
		});
	}

	/** By the primary key, one row. */
	Optional<Instant> recordedBehind(long position) {
		return execute("find when an event was recorded", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(
					"select recorded_at from %s where global_position > ? order by global_position limit 1"
						.formatted(this.table))) {
				statement.setLong(1, position);
				try (ResultSet row = statement.executeQuery()) {
					return row.next() ? Optional.of(row.getObject(1, OffsetDateTime.class).toInstant())
							: Optional.empty();
				}
			}
		});
	}

	long head() {
		return execute("find the last event", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(this.head);
					ResultSet row = statement.executeQuery()) {
				return row.next() ? row.getLong(1) : 0L;
			}
		});
	}

	/**
	 * The last position that was drawn; 0 if none was drawn.
	 * @throws UnsafePositionsException if the sequence or its column is not defined as
	 * required
	 */
	long drawn() {
		return execute("read the sequence of positions", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(drawnSql(connection));
					ResultSet row = statement.executeQuery()) {
				row.next();
				if (row.getBoolean(3)) {
					throw UnsafePositionsException.onStandby(this.table);
				}
				// an operator has set the next number, and nothing was drawn since
				long drawn = row.getBoolean(2) ? row.getLong(1) : row.getLong(1) - 1;
				if (row.getLong(4) > drawn) {
					throw UnsafePositionsException.drawnBehind(this.table, drawn, row.getLong(4));
				}
				return drawn;
			}
		});
	}

	/**
	 * The transactions that may hold positions whose rows are not visible yet: each
	 * insert takes this lock before it draws a position, and keeps it until its
	 * transaction or savepoint ends and its rows are visible or gone. The value is true
	 * for a prepared transaction (two-phase commit). Readers share one read of the locks.
	 * @param since by {@link System#nanoTime}; a read that began after this time is used
	 */
	Map<String, Boolean> holders(long since) {
		return this.lockReads.since(since);
	}

	private Map<String, Boolean> findHolders() {
		return execute("read the locks", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(this.holders);
					ResultSet row = statement.executeQuery()) {
				Map<String, Boolean> holders = new LinkedHashMap<>();
				while (row.next()) {
					holders.put(row.getString(1), row.getBoolean(2));
				}
				return holders;
			}
		});
	}

	private String drawnSql(Connection connection) throws SQLException {
		String sql = this.drawn;
		if (sql == null) {
			// A standby shows the locks of its own transactions only, not those of
			// transactions that append on the primary. The snapshot is older than the
			// read of the sequence, so it contains no event whose position was drawn
			// after that read.
			sql = "select last_value, is_called, pg_is_in_recovery(), (" + this.head + ") from "
					+ PositionSequence.require(connection, this.table);
			this.drawn = sql;
		}
		return sql;
	}

	<T> T execute(String task, Work<T> work) {
		try (Connection connection = this.dataSource.getConnection()) {
			boolean autoCommit = connection.getAutoCommit();
			if (!autoCommit) {
				connection.setAutoCommit(true);
			}
			try {
				return work.on(connection);
			}
			finally {
				if (!autoCommit) {
					connection.setAutoCommit(false);
				}
			}
		}
		catch (SQLException ex) {
			DataAccessException translated = this.errors.translate(task, null, ex);
			throw (translated != null) ? translated
					: new org.springframework.jdbc.UncategorizedSQLException(task, null, ex);
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

	/** A statement on a connection. */
	interface Work<T> {

		T on(Connection connection) throws SQLException;

	}

}
