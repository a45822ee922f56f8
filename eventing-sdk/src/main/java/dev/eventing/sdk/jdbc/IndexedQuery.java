package dev.eventing.sdk.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.jdbc.core.ArgumentPreparedStatementSetter;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.RowMapper;

/**
 * A query that looks rows up by an index, also by a plan that was made while the table
 * was empty. PostgreSQL keeps such a plan until the table is analyzed, and reading all of
 * an empty table costs nothing: it would read the whole table for each row that is looked
 * up. So that is disabled while the query is planned, and is as before afterwards. The
 * three statements are sent together and form one transaction if the caller has none.
 * Thread-safe.
 */
public final class IndexedQuery {

	/** A select list is evaluated from left to right. */
	private static final String SQL = """
			select set_config('eventing.seqscan', current_setting('enable_seqscan'), true),
			       set_config('enable_seqscan', 'off', true);
			%s;
			select set_config('enable_seqscan', current_setting('eventing.seqscan'), true)""";

	private final JdbcOperations jdbc;

	private final String sql;

	/** Sends no query yet. */
	public IndexedQuery(JdbcOperations jdbc, String sql) {
		this.jdbc = jdbc;
		this.sql = SQL.formatted(sql);
	}

	/** Runs it in the caller's transaction, or alone. */
	public <T> List<T> list(RowMapper<T> mapper, Object... parameters) {
		PreparedStatementCallback<List<T>> call = (statement) -> {
			new ArgumentPreparedStatementSetter(parameters).setValues(statement);
			statement.execute();
			statement.getMoreResults();
			try (ResultSet rows = statement.getResultSet()) {
				return all(rows, mapper);
			}
		};
		return Objects.requireNonNull(this.jdbc.execute(this.sql, call));
	}

	private static <T> List<T> all(ResultSet rows, RowMapper<T> mapper) throws SQLException {
		List<T> all = new ArrayList<>();
		while (rows.next()) {
			all.add(mapper.mapRow(rows, all.size()));
		}
		return all;
	}

}
