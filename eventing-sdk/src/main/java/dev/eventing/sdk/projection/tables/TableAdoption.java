package dev.eventing.sdk.projection.tables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;

/** Moves live tables to a separate schema. */
final class TableAdoption {

	/**
	 * Roles that may read a table, or own it, and whose search path does not have the
	 * schema. A setting of a role in this database goes before one of the role, and that
	 * before one of the database.
	 */
	private static final String READERS = """
			with reader as (
			  select distinct x.grantee as role
			    from pg_class c join pg_namespace n on n.oid = c.relnamespace,
			         aclexplode(coalesce(relacl, acldefault('r', relowner))) x
			   where n.nspname = ? and c.relkind = 'r' and privilege_type = 'SELECT'),
			path as (
			  select role, (select substr(setting, length('search_path=') + 1)
			                  from pg_db_role_setting s, unnest(setconfig) setting
			                 where setting like 'search_path=%' and setrole in (0, role)
			                   and setdatabase in (0, (select oid from pg_database where datname = current_database()))
			                 order by setrole = 0, setdatabase = 0 limit 1) as path
			    from reader)
			select case role when 0 then 'public' else pg_get_userbyid(role)::text end from path
			 where not exists (select from regexp_split_to_table(path, ' *, *') part where trim(both '"' from part) = ?)
			   and pg_get_userbyid(role) is distinct from cast(? as text)
			 order by 1
			""";

	/**
	 * Whether the search path has one schema, and not another one before it. A schema
	 * that does not exist yet is on the path, too.
	 */
	private static final String FIRST = """
			with path as (
			  select case name when '$user' then current_user else name end as name, place
			    from (select trim(both '"' from part) as name, place
			            from regexp_split_to_table(current_setting('search_path'), ' *, *')
			                 with ordinality as parts (part, place)) named)
			select exists (select from path t
			                where t.name = ? and not exists (select from path f where f.name = ? and f.place < t.place))
			""";

	private final JdbcTemplate jdbc;

	private final SearchPath path;

	private final TableRights rights;

	private final TableLocks locks;

	private final SchemaContents contents;

	TableAdoption(JdbcTemplate jdbc, SearchPath path, TableRights rights, TableLocks locks, SchemaContents contents) {
		this.jdbc = jdbc;
		this.path = path;
		this.rights = rights;
		this.locks = locks;
		this.contents = contents;
	}

	void adopt(List<String> declared, List<LiveTable> live, String schema, Duration patience) {
		String from = live.get(0).schema();
		occupied(schema).ifPresent((why) -> {
			throw new ReadModelTablesException(why);
		});
		if (!this.contents.exists(schema)) {
			this.rights.createSchema(schema, from);
		}
		List<String> names = live.stream().map(LiveTable::table).sorted().toList();
		this.locks.lock(names, from, patience);
		this.locks.move(names, from, schema);
		requireFound(declared, schema);
	}

	/** The application's own connections find their tables by their search path. */
	private void requireFound(List<String> declared, String schema) {
		for (String name : declared) {
			String found = LiveTable.find(this.jdbc, name).map(LiveTable::schema).orElse(null);
			if (!schema.equals(found)) {
				throw new ReadModelTablesException("Table '" + name + "' would "
						+ ((found != null) ? "be found in schema '" + found + "'" : "not be found")
						+ ": the search_path of the application's connections is " + this.path.current() + "."
						+ before(schema));
			}
		}
	}

	private String before(String schema) {
		return " Consider '" + schema + "' before the others: " + setting(schema)
				+ ", or currentSchema in the URL of the pool; then restart the application.";
	}

	/** What of the schema would refuse the tables, as this connection sees it. */
	List<String> refusals(String from, String schema) {
		if (from.equals(schema)) {
			return List.of("The tables lie in the schema " + schema + " already.");
		}
		List<String> refusals = new ArrayList<>();
		occupied(schema).ifPresent(refusals::add);
		if (!Boolean.TRUE.equals(this.jdbc.queryForObject(FIRST, Boolean.class, schema, from))) {
			refusals.add("The tables would not be found in schema '" + schema
					+ "': the search_path of this connection is " + this.path.current() + "." + before(schema));
		}
		return refusals;
	}

	/** Why the schema takes no tables: something else lies in it. */
	private Optional<String> occupied(String schema) {
		List<String> strangers = this.contents.exists(schema) ? this.contents.strangers(schema, List.of()) : List.of();
		return strangers.isEmpty() ? Optional.empty() : Optional.of("Schema '" + schema + "' is not empty: "
				+ String.join(", ", strangers) + ". Consider a schema of another name.");
	}

	/** The statement that lets a role find the schema. */
	private String setting(String schema) {
		return string("""
				select format('alter role %I in database %I set search_path = %I, %s', current_user, current_database(),
				              cast(? as text), current_setting('search_path'))""", schema);
	}

	private String string(String query, Object... arguments) {
		return Objects.requireNonNull(this.jdbc.queryForObject(query, String.class, arguments));
	}

	/**
	 * Roles other than the current one that read tables of a schema, and may not find
	 * them by name in another one.
	 */
	List<String> readersWithout(String from, String schema) {
		String own = string("select current_user");
		return this.jdbc.queryForList(READERS, String.class, from, schema, own);
	}

}
