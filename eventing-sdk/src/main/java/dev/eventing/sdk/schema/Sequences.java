package dev.eventing.sdk.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares each sequence of the SDK's tables with the numbers that were drawn from it. A
 * sequence that begins again gives new rows lower numbers than old ones, so that their
 * order is wrong. Logical replication does not copy sequences, and neither does a restore
 * of single tables.
 */
final class Sequences {

	/**
	 * Sequences that belong to a column of the SDK's tables, such as an identity
	 * column's. The schema may have other tables, of the application. Parameters: the
	 * schema, and the names of the tables.
	 */
	static final String OF_TABLES = """
			  from pg_class s
			  join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i')
			   and d.refclassid = 'pg_class'::regclass
			  join pg_class c on c.oid = d.refobjid
			  join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
			  join pg_namespace n on n.oid = c.relnamespace
			  join pg_sequence q on q.seqrelid = s.oid
			 where n.nspname = ? and c.relname = any (?)
			""";

	/**
	 * All but that of the positions of events, which appends and readers check
	 * themselves, also later, and that of the changes of inline projections, whose
	 * numbers have no order.
	 */
	private static final String COMPARABLE = """
			select c.relname, a.attname, s.relname, q.seqincrement, q.seqcycle, q.seqcache,
			       has_sequence_privilege(s.oid, 'USAGE, SELECT'), has_sequence_privilege(s.oid, 'SELECT')
			""" + OF_TABLES + """
			   and c.relname not in ('events', 'projection_inline') and has_table_privilege(c.oid, 'SELECT')
			 order by c.relname, a.attname
			""";

	/**
	 * The end of an index, and the sequence; null if nothing was drawn from it. The
	 * snapshot is older than the read of the sequence, so it contains no number that was
	 * drawn after that read.
	 */
	private static final String COMPARED = """
			select %s, (select max(%s) from %s), pg_sequence_last_value('%s'::regclass)""";

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
		List<Owned> owned = this.jdbc.query(COMPARABLE,
				(row, number) -> new Owned(row.getString(1), row.getString(2), row.getString(3),
						new Drawing(row.getLong(4), row.getBoolean(5), row.getLong(6)), row.getBoolean(7),
						row.getBoolean(8)),
				this.schema.name(), RequiredTable.names());
		List<String> problems = new ArrayList<>();
		owned.stream()
			.filter((each) -> !each.drawing().isAscending())
			.forEach((each) -> problems.add(notAscending(each)));
		compare(owned.stream().filter((each) -> each.drawing().isAscending() && each.isKnown()).toList(), problems);
		return problems;
	}

	private void compare(List<Owned> owned, List<String> problems) {
		String sql = IntStream.range(0, owned.size())
			.mapToObj((place) -> COMPARED.formatted(place, owned.get(place).column(),
					this.schema.table(owned.get(place).table()), name(owned.get(place))))
			.collect(Collectors.joining(" union all "));
		List<Compared> all = sql.isEmpty() ? List.of()
				: this.jdbc.query(sql, (row, number) -> new Compared(owned.get(row.getInt(1)),
						row.getObject(2, Long.class), row.getObject(3, Long.class)));
		for (Compared found : all) {
			long highest = (found.highest() != null) ? found.highest() : 0;
			long drawn = (found.drawn() != null || highest == 0) ? Objects.requireNonNullElse(found.drawn(), 0L)
					: beforeNext(found.owned());
			if (drawn < highest) {
				problems.add(behind(found.owned(), drawn, highest));
			}
		}
	}

	/**
	 * What counts as drawn, if nothing was drawn since an operator set the next number.
	 */
	private long beforeNext(Owned owned) {
		Long next = owned.isReadable() ? this.jdbc.queryForObject("select last_value from " + name(owned), Long.class)
				: null;
		return (next != null) ? next - 1 : 0;
	}

	private String behind(Owned owned, long drawn, long highest) {
		return "sequence '%s' has drawn up to %s only, but '%s.%s' goes up to %s, so numbers would begin again. Consider, while nothing writes, \"select setval('%s', %s)\""
			.formatted(owned.sequence(), drawn, owned.table(), owned.column(), highest, name(owned), highest);
	}

	private String notAscending(Owned owned) {
		return "sequence '%s' has %s, so later numbers may be lower. Consider \"alter sequence %s cache 1 increment 1 no cycle\""
			.formatted(owned.sequence(), owned.drawing().describe(), name(owned));
	}

	private String name(Owned owned) {
		return this.schema.table(owned.sequence());
	}

	/**
	 * A sequence of a column.
	 *
	 * @param isKnown whether the role may ask what was drawn last
	 * @param isReadable whether the role may read the sequence itself
	 */
	private record Owned(String table, String column, String sequence, Drawing drawing, boolean isKnown,
			boolean isReadable) {
	}

	/**
	 * How a sequence draws. With a cache each session draws numbers ahead.
	 */
	private record Drawing(long increment, boolean cycles, long cache) {

		boolean isAscending() {
			return this.increment > 0 && !this.cycles && this.cache == 1;
		}

		String describe() {
			return ((this.cache > 1) ? "cache " + this.cache + ", " : "") + "increment " + this.increment
					+ (this.cycles ? " and cycles" : "");
		}

	}

	private record Compared(Owned owned, @Nullable Long highest, @Nullable Long drawn) {
	}

}
