package dev.eventing.sdk.projection.tables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/** Locks on tables: takes them, and reads who has them. */
final class TableLocks {

	private final JdbcTemplate jdbc;

	TableLocks(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Locks the tables of a schema, {@code ACCESS EXCLUSIVE} and in the order of their
	 * names.
	 */
	void lock(List<String> names, String schema) {
		names.forEach((name) -> lock(name, schema));
	}

	/**
	 * Locks the tables, and waits for all of them together no longer than this:
	 * {@code lock_timeout} is the limit of one lock.
	 */
	void lock(List<String> names, String schema, Duration patience) {
		long end = System.nanoTime() + patience.toNanos();
		for (String name : names) {
			long left = Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()); // 0:
																							// no
																							// limit
			this.jdbc.queryForObject("select set_config('lock_timeout', ?, true)", String.class, left + "ms");
			lock(name, schema);
		}
	}

	private void lock(String name, String schema) {
		this.jdbc
			.queryForList(
					"select format('lock table %I.%I in access exclusive mode', cast(? as text), cast(? as text))",
					String.class, schema, name)
			.forEach(this.jdbc::execute);
	}

	/** Moves tables with everything of them; PostgreSQL moves all but the statistics. */
	void move(List<String> names, String from, String to) {
		List<String> moves = this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement("""
					with moved as (
					  select c.oid, c.relname, c.relnamespace, n.nspname, cast(? as text) as target
					    from pg_class c join pg_namespace n on n.oid = c.relnamespace
					   where n.nspname = ? and c.relkind = 'r' and c.relname = any(?))
					select format('alter table %I.%I set schema %I', nspname, relname, target) from moved
					union all
					select format('alter statistics %I.%I set schema %I', nspname, stxname, target)
					  from moved join pg_statistic_ext on stxrelid = moved.oid and stxnamespace = relnamespace""");
			statement.setString(1, to);
			statement.setString(2, from);
			statement.setArray(3, connection.createArrayOf("text", names.toArray()));
			return statement;
		}, (row, number) -> row.getString(1));
		this.jdbc.execute(String.join("; ", moves));
	}

	List<String> holders(List<String> names, Collection<String> schemas) {
		// Reads all locks of the server. A prepared transaction has no process.
		return this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement("""
					select coalesce(format('pid %s ''%s'' since %s', l.pid, a.application_name,
					                       coalesce(date_trunc('second', a.xact_start)::text, 'an unknown time'))
					                || coalesce(', ' || a.state, ''), 'a prepared transaction')
					  from pg_class c
					  join pg_namespace n on n.oid = c.relnamespace
					  join pg_locks l on l.relation = c.oid and l.locktype = 'relation' and l.granted
					                 and l.database = (select oid from pg_database where datname = current_database())
					                 and l.pid is distinct from pg_backend_pid()
					  left join pg_stat_activity a on a.pid = l.pid
					 where c.relname = any(?) and n.nspname = any(?)
					 group by l.pid, a.application_name, a.xact_start, a.state
					 order by a.xact_start, l.pid""");
			statement.setArray(1, connection.createArrayOf("text", names.toArray()));
			statement.setArray(2, connection.createArrayOf("text", schemas.toArray()));
			return statement;
		}, (row, number) -> row.getString(1));
	}

	Strangers strangers(String schema) {
		List<String> written = new ArrayList<>();
		List<String> read = new ArrayList<>();
		// Reads all locks of the server; then pg_class by its primary key.
		this.jdbc.query(
				"""
						select format('%I.%I', n.nspname, c.relname) as name,
						       bool_or(l.mode not in ('AccessShareLock', 'RowShareLock')) as written
						  from pg_locks l
						  join pg_class c on c.oid = l.relation and c.relkind in ('r', 'p', 'f', 'm') and c.relpersistence <> 't'
						  join pg_namespace n on n.oid = c.relnamespace and n.nspname <> ?
						                     and n.nspname not in ('pg_catalog', 'information_schema')
						 where l.pid = pg_backend_pid() and l.locktype = 'relation'
						 group by 1 order by 1""",
				(row) -> {
					(row.getBoolean(2) ? written : read).add(row.getString(1));
				}, schema);
		return new Strangers(written, read);
	}

}
