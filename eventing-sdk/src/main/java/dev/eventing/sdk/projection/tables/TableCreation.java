package dev.eventing.sdk.projection.tables;

import java.util.List;

import dev.eventing.sdk.jdbc.DatabaseFailure;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** Creates tables by a script of the application. */
final class TableCreation {

	/**
	 * PostgreSQL executes no statement inside a function that begins or ends a
	 * transaction. So the script cannot commit what was done before it. HikariCP closes a
	 * connection on which that error comes under its own code.
	 */
	private static final String RUN = """
			do $script$ begin
			  execute current_setting('eventing.script');
			exception when feature_not_supported then
			  raise exception '%', sqlerrm;
			end $script$""";

	private final JdbcTemplate jdbc;

	private final SearchPath path;

	TableCreation(JdbcTemplate jdbc, SearchPath path) {
		this.jdbc = jdbc;
		this.path = path;
	}

	/** Runs the script, whose names without a schema mean the schema, which exists. */
	void run(String schema, String script) {
		String before = this.path.current();
		set(script);
		this.path.lookFirstIn(schema);
		try {
			this.jdbc.execute(RUN);
		}
		catch (TransientDataAccessException | RecoverableDataAccessException | DataAccessResourceFailureException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			throw new ReadModelTablesException("The script fails: " + DatabaseFailure.describe(ex) + ".");
		}
		this.path.set(before);
		set("");
	}

	private void set(String script) {
		this.jdbc.queryForObject("select set_config('eventing.script', ?, true)", String.class, script);
	}

	/** Makes sure that the schema has these tables, as the catalog names them. */
	void requireAll(String schema, List<String> tables) {
		List<String> missing = this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement("""
					select name from unnest(?) name
					 where not exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
					                    where n.nspname = ? and c.relname = name and c.relkind = 'r')""");
			statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
			statement.setString(2, schema);
			return statement;
		}, (row, number) -> row.getString(1));
		if (!missing.isEmpty()) {
			throw new ReadModelTablesException("The script creates no table " + String.join(", ", missing)
					+ " in the schema of the generation. Consider names without a schema, and no partitions.");
		}
	}

}
