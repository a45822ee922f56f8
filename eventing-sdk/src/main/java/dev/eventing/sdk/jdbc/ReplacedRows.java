package dev.eventing.sdk.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;

/**
 * Statements on tables with one row per owner that is replaced often: each change deletes
 * the row and inserts one with the next {@code revision}, the last column of the primary
 * key. While an old snapshot is open, PostgreSQL keeps all former rows. The last one is
 * at the end of the index, so a scan of the index does not meet the former ones. By its
 * statistics PostgreSQL estimates such a table as small, and reads it without the index.
 * These statements use the index whatever the statistics are.
 */
public final class ReplacedRows {

	/** A bitmap of an index has the former rows, too. */
	private static final String BY_INDEX = """
			set local enable_seqscan to off;
			set local enable_bitmapscan to off;
			%s;
			set local enable_bitmapscan to default;
			set local enable_seqscan to default""";

	/** Results of {@link #BY_INDEX} before that of the statement. */
	private static final int SETTINGS = 2;

	private ReplacedRows() {
	}

	/**
	 * Returns a query of an owner's row. Its only parameter is the owner.
	 * @param columns the columns to select
	 * @param owner the first column of the primary key
	 */
	public static String latest(String columns, String table, String owner) {
		return "select %s from %s where %s = ? order by revision desc limit 1".formatted(columns, table, owner);
	}

	/**
	 * Changes rows, in the transaction of the caller and in one round trip.
	 * @param sql one statement, which may follow statements that change no rows
	 * @return the number of rows that were inserted, updated or deleted
	 * @throws org.springframework.dao.DataAccessException if a statement fails
	 */
	public static int update(JdbcOperations jdbc, String sql, @Nullable Object... arguments) {
		return Objects
			.requireNonNull(jdbc.execute(BY_INDEX.formatted(sql), (PreparedStatementCallback<Integer>) (statement) -> {
				new ArgumentPreparedStatementSetter(arguments).setValues(statement);
				statement.execute();
				return highestCount(statement);
			}));
	}

	/** The settings before and after the statement count no rows. */
	private static int highestCount(PreparedStatement statement) throws SQLException {
		int highest = 0;
		for (int count = statement.getUpdateCount(); count >= 0; count = statement.getUpdateCount()) {
			highest = Math.max(highest, count);
			statement.getMoreResults();
		}
		return highest;
	}

	/**
	 * Reads rows, in the transaction of the caller, or else in a separate one.
	 * @throws org.springframework.dao.DataAccessException if the query fails
	 */
	public static <T> List<T> query(JdbcOperations jdbc, String sql, RowMapper<T> mapper,
			@Nullable Object... arguments) {
		return Objects.requireNonNull(jdbc.execute((ConnectionCallback<List<T>>) (connection) -> {
			if (connection.getAutoCommit()) {
				return readAlone(connection, sql, mapper, arguments);
			}
			return read(connection, sql, mapper, arguments);
		}));
	}

	private static <T> List<T> readAlone(Connection connection, String sql, RowMapper<T> mapper,
			@Nullable Object... arguments) throws SQLException {
		connection.setAutoCommit(false);
		try {
			List<T> rows = read(connection, sql, mapper, arguments);
			connection.commit();
			return rows;
		}
		catch (SQLException ex) {
			rollBack(connection, ex);
			throw ex;
		}
		finally {
			if (!connection.isClosed()) {
				connection.setAutoCommit(true);
			}
		}
	}

	private static void rollBack(Connection connection, SQLException cause) {
		try {
			connection.rollback();
		}
		catch (SQLException ex) {
			cause.addSuppressed(ex);
		}
	}

	private static <T> List<T> read(Connection connection, String sql, RowMapper<T> mapper,
			@Nullable Object... arguments) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(BY_INDEX.formatted(sql))) {
			new ArgumentPreparedStatementSetter(arguments).setValues(statement);
			statement.execute();
			for (int setting = 0; setting < SETTINGS; setting++) {
				statement.getMoreResults();
			}
			try (ResultSet rows = statement.getResultSet()) {
				return new RowMapperResultSetExtractor<>(mapper).extractData(rows);
			}
		}
	}

}
