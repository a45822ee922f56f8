package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Exchanges two schemas by their names. Takes no lock on a table. The one that becomes
 * live gets the owner, the rights, the default privileges and the comment of the live
 * one.
 */
final class SchemaRename {

	private static final String BOTH = """
			with l as (select * from pg_namespace where nspname = ?), n as (select * from pg_namespace where nspname = ?)
			""";

	/**
	 * The role's rights, and obstacles to moving objects from one schema to the other.
	 */
	private static final String POSSIBLE = BOTH + """
			select count(*) = 1 from l, n
			 where l.nspname not in ('public', 'information_schema') and l.nspname not like 'pg\\_%'
			   and not exists (select from pg_namespace where nspname = ?)
			   and has_database_privilege(current_database(), 'CREATE')
			   and pg_has_role(l.nspowner, 'USAGE') and pg_has_role(n.nspowner, 'USAGE')
			   and (l.nspowner = n.nspowner
			        or has_database_privilege(l.nspowner, current_database()::text, 'CREATE')
			           and pg_has_role(l.nspowner, case when current_setting('server_version_num')::int < 160000
			                                            then 'MEMBER' else 'SET' end))
			   and not exists (select from pg_default_acl
			                    where defaclnamespace in (l.oid, n.oid) and not pg_has_role(defaclrole, 'USAGE'))
			   and not exists (select from pg_depend
			                    where classid = 'pg_namespace'::regclass and objid = l.oid and deptype = 'e')
			   and not exists (select from pg_seclabel
			                    where classoid = 'pg_namespace'::regclass and objoid in (l.oid, n.oid))
			""";

	private static final String OWNER = BOTH + """
			select format('alter schema %I owner to %I', n.nspname, pg_get_userbyid(l.nspowner))
			  from l, n where l.nspowner <> n.nspowner
			""";

	private static final String RIGHTS = BOTH + """
			, rights as (
			  select 1 as side, x.grantee, x.privilege_type, x.is_grantable
			    from l, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) x
			  union all
			  select 2, x.grantee, x.privilege_type, x.is_grantable
			    from n, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) x),
			differ as (
			  select from rights group by grantee, privilege_type, is_grantable having count(distinct side) < 2 limit 1)
			select statement from (
			  select distinct 1 as step, format('revoke all on schema %I from %s', n.nspname, %ROLE%) as statement
			    from n, rights, differ where side = 2
			  union all
			  select 2, format('grant %s on schema %I to %s%s', privilege_type, n.nspname, %ROLE%, %OPTION%)
			    from n, rights, differ where side = 1) s order by step
			""";

	private static final String DEFAULTS = BOTH
			+ """
					, given as (
					  select case defaclnamespace when l.oid then 1 else 2 end as side, defaclrole, x.grantee, x.privilege_type,
					         x.is_grantable,
					         case defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions'
					                            else 'types' end as kind
					    from l, n, pg_default_acl, aclexplode(defaclacl) x where defaclnamespace in (l.oid, n.oid)),
					differ as (
					  select from given group by defaclrole, kind, grantee, privilege_type, is_grantable
					  having count(distinct side) < 2 limit 1)
					select statement from (
					  select distinct 1 as step, format('alter default privileges for role %I in schema %I revoke all on %s from %s',
					         pg_get_userbyid(defaclrole), n.nspname, kind, %ROLE%) as statement
					    from n, given, differ where side = 2
					  union all
					  select 2, format('alter default privileges for role %I in schema %I grant %s on %s to %s%s',
					         pg_get_userbyid(defaclrole), n.nspname, privilege_type, kind, %ROLE%, %OPTION%)
					    from n, given, differ where side = 1) s order by step
					""";

	private static final String COMMENT = BOTH + """
			select format('comment on schema %I is %L', n.nspname, obj_description(l.oid, 'pg_namespace'))
			  from l, n
			 where obj_description(l.oid, 'pg_namespace') is distinct from obj_description(n.oid, 'pg_namespace')
			""";

	private static final String WRITERS = """
			select coalesce(format('pid %s ''%s'' since %s', l.pid, a.application_name,
			                       coalesce(date_trunc('second', a.xact_start)::text, 'an unknown time'))
			                || coalesce(', ' || a.state, ''), 'a prepared transaction')
			  from pg_class c
			  join pg_namespace n on n.oid = c.relnamespace
			  join pg_locks l on l.relation = c.oid and l.locktype = 'relation' and l.granted
			                 and l.database = (select oid from pg_database where datname = current_database())
			                 and l.pid is distinct from pg_backend_pid()
			  left join pg_stat_activity a on a.pid = l.pid
			 where n.nspname in (?, ?) and c.relkind = 'r'
			   and l.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
			 group by l.pid, a.application_name, a.xact_start, a.state
			 order by a.xact_start, l.pid
			""";

	private final JdbcTemplate jdbc;

	private final SchemaContents contents;

	SchemaRename(JdbcTemplate jdbc, SchemaContents contents) {
		this.jdbc = jdbc;
		this.contents = contents;
	}

	/**
	 * Whether the live schema is the read model's alone, and the role may rename both.
	 */
	boolean isPossible(List<String> names, String live, String next, String former) {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(POSSIBLE, Boolean.class, live, next, former))
				&& this.contents.strangers(live, names).isEmpty();
	}

	/**
	 * Renames the live schema to the former's name, and the next one to the live one's.
	 * @throws TablesInUseException if a transaction writes to one of their tables: it
	 * would continue with the tables that are not live any more
	 */
	void exchange(List<String> names, String live, String next, String former) {
		this.contents.requireNothingBut(next, names);
		List<String> writers = this.jdbc.queryForList(WRITERS, String.class, live, next);
		if (!writers.isEmpty()) {
			throw new TablesInUseException("The tables are written to: " + String.join("; ", writers) + ".");
		}
		for (String query : List.of(OWNER, RIGHTS, DEFAULTS, COMMENT)) {
			this.jdbc.queryForList(Grants.of(query), String.class, live, next).forEach(this.jdbc::execute);
		}
		this.jdbc.queryForList("""
				select format('alter schema %1$I rename to %2$I; alter schema %3$I rename to %1$I', cast(? as text),
				              cast(? as text), cast(? as text))""", String.class, live, former, next)
			.forEach(this.jdbc::execute);
	}

}
