package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.LogPageStatements.Anchor;
import dev.eventing.sdk.store.LogPageStatements.Rows;
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

	private final SQLExceptionTranslator errors = new SQLExceptionSubclassTranslator();

	private final DataSource dataSource;

	private final StoredRows rows;

	private final String table;

	private final LogPageStatements pages;

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
		this.pages = new LogPageStatements(this.table, this.rows);
		this.visible = LogPageStatements.summed(this.table, "?", "<=");
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
		return execute("read the log", (connection) -> this.pages.whole(connection, after, anchor, limit, maxBytes));
	}

	/** As a page, of events without payload, key and headers. */
	Rows envelopes(long after, @Nullable Anchor anchor, int limit) {
		return execute("read the log", (connection) -> this.pages.envelopes(connection, after, anchor, limit));
	}

	LogSetBackException setBackBehind(long position, long drawn) {
		return LogSetBackException.behind(position, drawn, this.table);
	}

	Rows rows(PreparedStatement statement) throws SQLException {
		return this.pages.rows(statement);
	}

	/**
	 * By the primary key, in the caller's transaction. As that of a page, the statement
	 * makes no texts that are not wanted.
	 */
	Optional<List<StoredEvent>> visible(JdbcOperations transaction, long after, int most, long mostBytes) {
		return transaction.query(this.visible, (ResultSetExtractor<Optional<List<StoredEvent>>>) (row) -> {
			List<StoredEvent> events = new ArrayList<>();
			while (row.next()) {
				if (events.size() == most || row.getLong(LogPageStatements.BYTES_SO_FAR) > mostBytes) {
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

	/** A statement on a connection. */
	interface Work<T> {

		T on(Connection connection) throws SQLException;

	}

}
