package dev.eventing.sdk.projection.tables;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What tables take on the disk, with their indexes and large values. How much is free on
 * it, PostgreSQL does not tell. Thread-safe.
 */
public final class TableSizes {

	private static final String[] UNITS = { "bytes", "kB", "MB", "GB", "TB" };

	private final JdbcTemplate jdbc;

	/** Sends no query yet. */
	public TableSizes(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * The bytes of each table, by its name, in the order of the names. Tables that do not
	 * exist are left out.
	 * @param tables names as in a statement, found by the {@code search_path}
	 */
	public Map<String, Long> of(Collection<String> tables) {
		Map<String, Long> sizes = new LinkedHashMap<>();
		this.jdbc.query("""
				select name, pg_total_relation_size(to_regclass(name)) from unnest(?) name
				 where to_regclass(name) is not null order by name""", (row) -> {
			sizes.put(row.getString(1), row.getLong(2));
		}, (Object) tables.stream().filter(LiveTable::isSimple).toArray(String[]::new));
		return sizes;
	}

	/** The bytes of all tables of a schema. */
	public long ofSchema(String schema) {
		// By pg_class_relname_nsp_index, of which a read model has few rows.
		Long bytes = this.jdbc.queryForObject("""
				select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
				  from pg_class c join pg_namespace n on n.oid = c.relnamespace
				 where n.nspname = ? and c.relkind = 'r'""", Long.class, schema);
		return (bytes != null) ? bytes : 0;
	}

	/** A number of bytes as operators read it, such as {@code 12.5 GB}. */
	public static String readable(long bytes) {
		double number = bytes;
		int unit = 0;
		while (number >= 1024 && unit < UNITS.length - 1) {
			number /= 1024;
			unit++;
		}
		return String.format(Locale.ROOT, (unit == 0 || number >= 100) ? "%,.0f %s" : "%,.1f %s", number, UNITS[unit]);
	}

}
