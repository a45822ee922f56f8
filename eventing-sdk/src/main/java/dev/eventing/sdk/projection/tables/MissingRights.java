package dev.eventing.sdk.projection.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The rights that a role lacks on the tables of a read model, as the statements that a
 * role with the rights runs once. They give the role the schemas of generations and the
 * declared tables, and nothing else: no right to create schemas, no membership in another
 * role. Every method only reads the catalog.
 */
public final class MissingRights {

	private static final String ROLE = """
			with r as (select oid, rolname from pg_roles where rolname = cast(? as text)),
			t as (select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
			       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
			         and n.nspname = any(cast(? as text[]))
			         and c.relname in (select cast((parse_ident(name))[1] as name) from unnest(cast(? as text[])) name))
			""";

	private static final String CREATED = """
			select format('create schema %I authorization %I', cast(? as text), rolname) from pg_roles
			 where rolname = cast(? as text) and not has_database_privilege(oid, current_database()::text, 'CREATE')
			""";

	private static final String OWNED = """
			select format('alter schema %I owner to %I', nspname, rolname) from pg_namespace, pg_roles r
			 where nspname = ? and rolname = cast(? as text) and not pg_has_role(r.oid, nspowner, 'USAGE')
			""";

	private static final String LIVE = """
			select format('grant create on schema %I to %I', nspname, rolname) from pg_namespace n, pg_roles r
			 where nspname = ? and rolname = cast(? as text) and not has_schema_privilege(r.oid, n.oid, 'CREATE')
			""";

	/**
	 * An owner passes over policies unless they are forced on the owner, and the former
	 * owner keeps the rights of a user.
	 */
	private static final String TABLES = ROLE + """
			, other as (
			  select t.*, rolname from t, r
			   where not pg_has_role(r.oid, relowner, 'USAGE') or not pg_has_role(r.oid, relowner,
			         case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end))
			select statement from (
			  select nspname, relname, 1 as step,
			         format('alter table %I.%I owner to %I', nspname, relname, rolname) as statement
			    from other
			  union all
			  select nspname, relname, 2, format('alter statistics %I.%I owner to %I', nspname, stxname, rolname)
			    from other join pg_statistic_ext on stxrelid = other.oid
			   where stxnamespace = relnamespace and stxowner = relowner
			  union all
			  select nspname, relname, 3, format('alter table %I.%I force row level security', nspname, relname)
			    from other where relrowsecurity and not relforcerowsecurity
			  union all
			  select nspname, relname, 4, format('grant all on table %I.%I to %I', nspname, relname, o.rolname)
			    from other join pg_roles o on o.oid = relowner and not o.rolsuper) s
			 order by nspname, relname, step, statement
			""";

	private final JdbcTemplate jdbc;

	private final SchemaContents contents;

	private final TableRights rights;

	/** Sends no query yet. */
	public MissingRights(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.contents = new SchemaContents(jdbc);
		this.rights = new TableRights(jdbc);
	}

	/** The role whose rights the connection has. */
	public String role() {
		return Objects.requireNonNull(this.jdbc.queryForObject("select current_user", String.class));
	}

	/**
	 * The rights missing to create the tables of a generation, or to exchange the tables
	 * of two generations.
	 * @param tables the declared tables
	 * @param liveSchema where the live ones lie
	 * @param schemas where others lie, or are to lie
	 */
	public List<String> toExchange(String role, Collection<String> tables, String liveSchema, List<String> schemas) {
		List<String> missing = new ArrayList<>(toHave(role, tables, liveSchema, schemas));
		missing.addAll(this.jdbc.queryForList(LIVE, String.class, liveSchema, role));
		List<String> all = new ArrayList<>(schemas);
		all.add(liveSchema);
		missing.addAll(toOwn(role, tables, all));
		return missing;
	}

	/** The rights missing to move the live tables to a separate schema. */
	public List<String> toMove(String role, Collection<String> tables, String liveSchema, String schema) {
		List<String> missing = new ArrayList<>(toHave(role, tables, liveSchema, List.of(schema)));
		missing.addAll(toOwn(role, tables, List.of(liveSchema)));
		return missing;
	}

	/** The rights missing to drop a schema with these tables. */
	public List<String> toDrop(String role, Collection<String> tables, String schema) {
		return isOfTheirs(schema, tables) ? this.jdbc.queryForList(OWNED, String.class, schema, role) : List.of();
	}

	/** A schema that holds something else is never handed over. */
	private List<String> toHave(String role, Collection<String> tables, String liveSchema, List<String> schemas) {
		List<String> missing = new ArrayList<>();
		for (String schema : schemas) {
			if (this.contents.exists(schema)) {
				missing.addAll(toDrop(role, tables, schema));
				continue;
			}
			List<String> created = this.jdbc.queryForList(CREATED, String.class, schema, role);
			missing.addAll(created);
			missing.addAll(created.isEmpty() ? List.of() : this.rights.usage(schema, liveSchema, role));
		}
		return missing;
	}

	private boolean isOfTheirs(String schema, Collection<String> tables) {
		List<String> names = this.jdbc.query((connection) -> {
			var statement = connection
				.prepareStatement("select cast((parse_ident(name))[1] as name) from unnest(cast(? as text[])) name");
			statement.setArray(1, connection.createArrayOf("text", tables.toArray()));
			return statement;
		}, (row, number) -> row.getString(1));
		return this.contents.strangers(schema, names).isEmpty();
	}

	private List<String> toOwn(String role, Collection<String> tables, List<String> schemas) {
		return this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement(TABLES);
			statement.setString(1, role);
			statement.setArray(2, connection.createArrayOf("text", schemas.toArray()));
			statement.setArray(3, connection.createArrayOf("text", tables.toArray()));
			return statement;
		}, (row, number) -> row.getString(1));
	}

}
