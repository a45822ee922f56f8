package dev.eventing.sdk.projector.write;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.projector.InvalidAdditionException;
import dev.eventing.sdk.projector.write.AdditionTarget.Column;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The tables for additions, from the database's catalogue. Each table is looked up at its
 * first addition. Thread-safe.
 */
public final class AdditionTargets {

	/**
	 * The columns of a table. A column of a domain has the type below the domain. By
	 * primary keys of the catalogue.
	 */
	private static final String COLUMNS = """
			with recursive used (name, type, modifier, filled) as (
			  select a.attname, a.atttypid, a.atttypmod, a.attnotnull or a.atthasdef
			    from pg_attribute a
			   where a.attrelid = to_regclass(?) and a.attnum > 0 and not a.attisdropped
			  union all
			  select u.name, d.typbasetype, d.typtypmod, u.filled or d.typnotnull or d.typdefault is not null
			    from used u
			    join pg_type d on d.oid = u.type
			   where d.typtype = 'd')
			select u.name,
			       format_type(u.type, case when t.typcategory in ('S', 'V') then -1 else u.modifier end),
			       t.typcategory = 'N',
			       case when u.type in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then 0
			            when u.type = 'numeric'::regtype and u.modifier >= 0
			            then (((u.modifier - 4) & 2047) # 1024) - 1024 end,
			       u.filled
			  from used u
			  join pg_type t on t.oid = u.type
			 where t.typtype <> 'd'""";

	private final JdbcOperations jdbc;

	private final Map<Wanted, AdditionTarget> known = new ConcurrentHashMap<>();

	public AdditionTargets(JdbcOperations jdbc) {
		this.jdbc = jdbc;
	}

	/** Where the tables are. */
	public JdbcOperations jdbc() {
		return this.jdbc;
	}

	/**
	 * Returns the table of that name with that key.
	 * @param table its name, in quotes
	 * @param columns the columns it must have; if a known table lacks one, it is looked
	 * up again, because the column may have been added since
	 * @throws InvalidAdditionException if the table does not exist, or no constraint
	 * makes the key unique
	 */
	AdditionTarget find(String table, SortedSet<String> key, Iterable<String> columns) {
		Wanted wanted = new Wanted(table, key);
		AdditionTarget target = this.known.get(wanted);
		if (target == null || !target.hasColumns(columns)) {
			target = read(wanted);
			this.known.put(wanted, target);
		}
		return target;
	}

	/** Forgets all tables, because one may have changed. They are looked up again. */
	void forget() {
		this.known.clear();
	}

	private AdditionTarget read(Wanted wanted) {
		String table = name(wanted.table);
		AdditionTarget target = new AdditionTarget(table, wanted.key, columns(table));
		wanted.key.forEach(target::column);
		List<Set<String>> unique = uniqueKeys(table);
		if (!unique.contains(wanted.key)) {
			throw new InvalidAdditionException("Table " + table + " has no primary key or unique constraint on exactly "
					+ wanted.key + ", only on " + unique + ", so the key does not identify one row. Consider"
					+ " the columns of one of these constraints, or creating a constraint.");
		}
		return target;
	}

	/** Uses the primary keys of the catalogue's tables, as all queries here. */
	private String name(String table) {
		List<String> names = this.jdbc.queryForList("""
				select format('%I.%I', n.nspname, c.relname)
				  from pg_class c
				  join pg_namespace n on n.oid = c.relnamespace
				 where c.oid = to_regclass(?)""", String.class, table);
		if (names.isEmpty()) {
			throw new InvalidAdditionException("There is no table " + table
					+ ". Consider adding its schema, as in \"sales.daily\"; names are converted to lower case.");
		}
		return names.get(0);
	}

	/**
	 * Reads text types without their length, because a cast to the length would cut
	 * longer texts. A cast to a domain would cut them, too. The insert into the column
	 * refuses them.
	 */
	private Map<String, Column> columns(String table) {
		Map<String, Column> columns = new TreeMap<>();
		this.jdbc.query(COLUMNS, (row) -> {
			columns.put(row.getString(1),
					new Column(row.getString(2), row.getBoolean(3), scale(row), row.getBoolean(5)));
		}, table);
		return columns;
	}

	private static @Nullable Integer scale(ResultSet row) throws SQLException {
		int scale = row.getInt(4);
		return row.wasNull() ? null : scale;
	}

	/** The unique keys that an insert can use in "on conflict". */
	private List<Set<String>> uniqueKeys(String table) {
		return this.jdbc.query("""
				select array_agg(a.attname::text)
				  from pg_index i
				 cross join generate_series(0, i.indnkeyatts - 1) as place
				  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[place]
				 where i.indrelid = to_regclass(?) and i.indisunique and i.indisvalid and i.indimmediate
				   and i.indpred is null and i.indexprs is null
				 group by i.indexrelid""", (row, number) -> Set.of((String[]) row.getArray(1).getArray()), table);
	}

	/**
	 * The table and key of an addition.
	 *
	 * @param table the table's name, in quotes
	 * @param key the columns of the key
	 */
	private record Wanted(String table, SortedSet<String> key) {
	}

}
