package dev.eventing.sdk.projection.reconcile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.eventing.sdk.projection.GenerationDiff.TableDiff;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Compares one table of two generations: first a hash of each bucket of keys, then the
 * rows of the buckets that differ. So it holds no rows in memory but the first that
 * differ. In the transaction of the caller. For one use.
 */
final class TableComparison {

	private static final int BUCKETS = 256;

	private final JdbcClient jdbc;

	private final String name;

	private final String live;

	private final String other;

	private final List<String> sample = new ArrayList<>();

	/**
	 * Finds the table of the live generation with the search path.
	 * @param name the name as it was declared: as a statement writes it
	 * @param schema the schema of the other generation
	 * @throws NoAnswerException if there is no such table
	 */
	TableComparison(JdbcClient jdbc, String name, String schema) {
		this.jdbc = jdbc;
		this.name = name;
		this.live = table("to_regclass(:name)", schema);
		this.other = table("to_regclass(quote_ident(:schema) || '.' || :name)", schema);
	}

	/** The name with its schema, quoted where that is needed. */
	private String table(String found, String schema) {
		return this.jdbc.sql("""
				select quote_ident(n.nspname) || '.' || quote_ident(c.relname)
				  from pg_class c join pg_namespace n on n.oid = c.relnamespace
				 where c.oid = %s""".formatted(found))
			.param("name", this.name)
			.param("schema", schema)
			.query(String.class)
			.optional()
			.orElseThrow(() -> new NoAnswerException("Table '" + this.name
					+ "' is not found. Consider the search path of the application, with the option"
					+ " currentSchema of the URL, and its role."));
	}

	/**
	 * Compares the tables.
	 * @param samples how many of the rows that differ are wanted
	 */
	TableDiff compare(int samples) {
		List<String> ofLive = columns(this.live);
		List<String> ofOther = columns(this.other);
		List<String> common = ofLive.stream().filter(ofOther::contains).toList();
		List<String> key = key(common);
		Map<Integer, Bucket> one = buckets(this.live, key, common);
		Map<Integer, Bucket> two = buckets(this.other, key, common);
		List<Integer> different = IntStream.range(0, BUCKETS)
			.filter((bucket) -> !Objects.equals(one.get(bucket), two.get(bucket)))
			.boxed()
			.toList();
		long differences = different.isEmpty() ? 0 : differences(different, key, common, samples);
		return new TableDiff(this.name, rows(one), rows(two), differences, without(ofLive, common),
				without(ofOther, common));
	}

	/** The first rows that differ, as JSON objects. */
	List<String> sample() {
		return this.sample;
	}

	private static long rows(Map<Integer, Bucket> buckets) {
		return buckets.values().stream().mapToLong(Bucket::rows).sum();
	}

	private static List<String> without(List<String> all, List<String> others) {
		return all.stream().filter((column) -> !others.contains(column)).toList();
	}

	/** Quoted where that is needed. */
	private List<String> columns(String table) {
		return this.jdbc.sql("""
				select quote_ident(attname) from pg_attribute
				 where attrelid = to_regclass(?) and attnum > 0 and not attisdropped order by attnum""")
			.param(table)
			.query(String.class)
			.list();
	}

	/** The primary key, in its order. */
	private List<String> key(List<String> common) {
		List<String> key = this.jdbc
			.sql("""
					select quote_ident(a.attname)
					  from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
					 where i.indrelid = to_regclass(?) and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)""")
			.param(this.live)
			.query(String.class)
			.list();
		if (key.isEmpty() || !common.containsAll(key)) {
			throw new NoAnswerException("Table '" + this.name
					+ "' has no primary key in both generations, by which rows are compared. Consider adding one.");
		}
		return key;
	}

	private Map<Integer, Bucket> buckets(String table, List<String> key, List<String> columns) {
		return this.jdbc
			.sql("""
					select %s, count(*), sum(hashtextextended(row(%s)::text, 0)::numeric)::text from %s t group by 1"""
				.formatted(bucket(key), list(columns, "t."), table))
			.query((row, number) -> Map.entry(row.getInt(1), new Bucket(row.getLong(2), row.getString(3))))
			.list()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, two) -> one, TreeMap::new));
	}

	private static String bucket(List<String> key) {
		return "(hashtext(row(" + list(key, "t.") + ")::text) & " + (BUCKETS - 1) + ")";
	}

	private static String list(List<String> columns, String prefix) {
		return columns.stream().map((column) -> prefix + column).collect(Collectors.joining(", "));
	}

	/** Counts the rows that differ, and takes the keys of the first ones. */
	private long differences(List<Integer> buckets, List<String> key, List<String> columns, int samples) {
		String rows = """
				select row(%1$s)::text as id, jsonb_build_object(%2$s) as key, to_jsonb(t) as content,
				       row(%3$s)::text as text
				  from %4$s t where %5$s = any(cast(:buckets as integer[]))""";
		Function<String, String> of = (table) -> rows.formatted(list(key, "t."), pairs(key), list(columns, "t."), table,
				bucket(key));
		return this.jdbc
			.sql("""
					with live as (%s), other as (%s),
					different as materialized (
					  select coalesce(l.key, o.key) as key,
					         case when o.id is null then 'only in the live generation'
					              when l.id is null then 'only in the other generation' else 'different' end as found,
					         (select array_agg(c.key order by c.key) from jsonb_each(l.content) c
					           where jsonb_exists(o.content, c.key) and o.content -> c.key is distinct from c.value) as columns
					    from live l full join other o on o.id = l.id
					   where l.text is distinct from o.text)
					select (select count(*) from different),
					       array(select jsonb_build_object('table', cast(:table as text), 'key', f.key, 'found', f.found,
					                                       'columns', coalesce(f.columns, '{}'))::text
					               from (select * from different limit :samples) f)"""
				.formatted(of.apply(this.live), of.apply(this.other)))
			.param("buckets", buckets.toArray(Integer[]::new))
			.param("table", this.name)
			.param("samples", samples)
			.query((row, number) -> {
				this.sample.addAll(List.of((String[]) row.getArray(2).getArray()));
				return row.getLong(1);
			})
			.single();
	}

	private static String pairs(List<String> key) {
		return key.stream()
			.map((column) -> "'" + column.replace("'", "''") + "', left(t." + column + "::text, 200)")
			.collect(Collectors.joining(", "));
	}

	/**
	 * The rows of some keys.
	 *
	 * @param rows how many there are
	 * @param hash the sum of their hashes
	 */
	private record Bucket(long rows, String hash) {
	}

}
