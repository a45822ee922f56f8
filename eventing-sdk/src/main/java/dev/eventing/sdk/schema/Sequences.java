package dev.eventing.sdk.schema;

import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares each sequence of the SDK's tables with the numbers that were drawn from it. A
 * sequence that begins again gives new rows lower numbers than old ones, so that their
 * order is wrong. Logical replication does not copy sequences, and neither does a restore
 * of single tables.
 */
final class Sequences {

	/**
	 * Those that belong to a column, as those of identity columns do; but for the
	 * positions of events, which appends and readers check themselves, also later.
	 */
	private static final String OWNED = """
			select c.relname, a.attname, s.relname, q.seqincrement, q.seqcycle
			  from pg_class s
			  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
			   and d.refclassid = 'pg_class'::regclass
			  join pg_class c on c.oid = d.refobjid
			  join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
			  join pg_namespace n on n.oid = c.relnamespace
			  join pg_sequence q on q.seqrelid = s.oid
			 where n.nspname = ? and c.relname <> 'events' and s.relkind = 'S' and has_table_privilege(c.oid, 'SELECT')
			 order by c.relname, a.attname
			""";

	/**
	 * Null if the role may not look at the sequence, or if nothing was drawn from it; the
	 * second column tells these apart.
	 */
	private static final String LAST = """
			select last_value, has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'USAGE, SELECT')
			  from pg_sequences where schemaname = ? and sequencename = ?
			""";

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	Sequences(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/**
	 * One for each sequence that gives numbers out of order. A sequence that the role may
	 * not look at is left out.
	 */
	List<String> problems() {
		List<Owned> owned = this.jdbc.query(OWNED, (row, number) -> new Owned(row.getString(1), row.getString(2),
				row.getString(3), row.getLong(4), row.getBoolean(5)), this.schema.name());
		List<String> problems = new ArrayList<>();
		for (Owned each : owned) {
			if (each.increment() < 1 || each.cycles()) {
				problems.add(notAscending(each));
			}
			else {
				compare(each, problems);
			}
		}
		return problems;
	}

	/**
	 * The highest number is read first: what others draw meanwhile moves the sequence
	 * only.
	 */
	private void compare(Owned owned, List<String> problems) {
		Long highest = this.jdbc.queryForObject(
				"select max(%s) from %s".formatted(owned.column(), this.schema.table(owned.table())), Long.class);
		if (highest == null) {
			return;
		}
		this.jdbc.query(LAST, (row) -> {
			long drawn = row.getLong(1);
			if (row.getBoolean(2) && drawn < highest) {
				problems.add(behind(owned, drawn, highest));
			}
		}, this.schema.name(), owned.sequence());
	}

	private String behind(Owned owned, long drawn, long highest) {
		return "sequence '%s' has drawn up to %d only, but '%s.%s' goes up to %d, so numbers would begin again. Consider, while nothing writes, \"select setval('%s', %d)\""
			.formatted(owned.sequence(), drawn, owned.table(), owned.column(), highest, name(owned), highest);
	}

	private String notAscending(Owned owned) {
		return "sequence '%s' has increment %d%s, so later numbers may be lower. Consider \"alter sequence %s increment 1 no cycle\""
			.formatted(owned.sequence(), owned.increment(), owned.cycles() ? " and cycles" : "", name(owned));
	}

	private String name(Owned owned) {
		return this.schema.table(owned.sequence());
	}

	private record Owned(String table, String column, String sequence, long increment, boolean cycles) {
	}

}
