package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Copies owners and rights. Each query reads the catalog and returns statements. They run
 * in the order of the queries, as a later one reads what an earlier one changed.
 */
final class TableRights {

	private static final String SCHEMA = """
			select format('create schema %I', cast(? as text))
			""";

	/** Roles that find the live tables find the schema's tables, too. */
	private static final String USAGE = """
			select format('grant usage on schema %I to %s%s', cast(? as text), %ROLE%, %OPTION%)
			  from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner)))
			 where nspname = ? and privilege_type = 'USAGE'
			   and grantee <> (select oid from pg_roles where rolname = coalesce(cast(? as text), current_user))
			""";

	/** An owner must be able to create tables in the schema when it gets one. */
	private static final String OWNER = TableClone.LIVE + """
			, other as (select *, quote_ident(pg_get_userbyid(relowner)) as owner from live
			             where relowner <> (select oid from pg_roles where rolname = current_user))
			select format('grant usage, create on schema %I to %s', generation, owner) from other
			union all
			select format('alter table %s owner to %s', target, owner) from other
			union all
			select format('alter statistics %I.%I owner to %s', generation, stxname, owner)
			  from other join pg_statistic_ext x on stxrelid = other.oid
			 where exists (select from pg_statistic_ext c join pg_namespace n on n.oid = c.stxnamespace
			                where n.nspname = generation and c.stxname = x.stxname)
			union all
			select format('revoke create on schema %I from %s', generation, owner) from other
			""";

	private static final String RELATIONS = TableClone.LIVE + TableClone.OWNED + """
			, pair as (
			  select r.*, c.relacl as copied
			    from (select 'table' as kind, target, relacl, acldefault('r', relowner) as usual from live
			          union all
			          select 'sequence', target, relacl, acldefault('s', relowner) from owned) r
			    join pg_class c on c.oid = to_regclass(target))
			""";

	/** Default privileges of a role or schema may have given rights. */
	private static final String REVOKE = RELATIONS + """
			select distinct format('revoke all on %s %s from %s', kind, target, %ROLE%)
			  from pair, aclexplode(copied)
			""";

	private static final String GRANT = RELATIONS + """
			select format('grant %s on %s %s to %s%s', privilege_type, kind, target, %ROLE%, %OPTION%)
			  from pair, aclexplode(coalesce(relacl, usual)) where relacl is not null or copied is not null
			""";

	private static final String GRANT_COLUMNS = TableClone.LIVE
			+ """
					select format('grant %s (%I) on table %s to %s%s', privilege_type, attname, target, %ROLE%, %OPTION%)
					  from live join pg_attribute a on attrelid = live.oid and attnum > 0 and not attisdropped, aclexplode(attacl)
					 where exists (select from pg_attribute c where c.attrelid = to_regclass(target) and c.attname = a.attname)
					""";

	private static final List<String> STEPS = List.of(OWNER, REVOKE, GRANT, GRANT_COLUMNS);

	private final JdbcTemplate jdbc;

	TableRights(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Creates a schema of the current role, which those may use who may use the live
	 * schema.
	 */
	void createSchema(String schema, String live) {
		execute(SCHEMA, schema);
		usage(schema, live, null).forEach(this.jdbc::execute);
	}

	/**
	 * The statements that let those use a schema who may use the live schema.
	 * @param role the owner of the schema; null for the current role
	 */
	List<String> usage(String schema, String live, @Nullable String role) {
		return this.jdbc.queryForList(Grants.of(USAGE), String.class, schema, live, role);
	}

	/** Gives the copy, which exists, the owner and the rights of the live table. */
	void copy(LiveTable live, String schema) {
		STEPS.forEach((step) -> execute(step, live.oid(), schema));
	}

	private void execute(String query, Object... arguments) {
		this.jdbc.queryForList(Grants.of(query), String.class, arguments).forEach(this.jdbc::execute);
	}

}
