package dev.eventing.sdk.projection.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;

/** Looks for what a copy of a table would lose, and for rights that are missing. */
final class TableSurvey {

	private static final String TABLE = """
			with t as (select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
			            where c.oid = cast(? as oid))
			""";

	private static final String KIND = TABLE + """
			select 'is ' || case relkind when 'v' then 'a view' when 'm' then 'a materialized view'
			                     when 'p' then 'a partitioned table' when 'f' then 'a foreign table'
			                     when 'S' then 'a sequence' when 'c' then 'a composite type' else 'an index' end
			  from t where relkind <> 'r'
			union all
			select 'is a temporary table' from t where relpersistence = 't'
			union all
			select 'is a table of the system' from t where nspname in ('pg_catalog', 'information_schema', 'pg_toast')
			union all
			select format('is a table of the type %s', reloftype::regtype) from t where reloftype <> 0
			union all
			select format('is %s of %s', case when relispartition then 'a partition' else 'an heir' end,
			              inhparent::regclass)
			  from t join pg_inherits on inhrelid = t.oid
			union all
			select format('is inherited by %s', inhrelid::regclass) from t join pg_inherits on inhparent = t.oid
			 where relkind = 'r'
			""";

	private static final String RIGHTS = TABLE + """
			select format('is owned by role ''%s'', to which role ''%s'' does not belong', pg_get_userbyid(relowner),
			              current_user)
			  from t where not pg_has_role(relowner, 'USAGE')
			union all
			select format('is owned by role ''%s'', which role ''%s'' must not make the owner of a copy',
			              pg_get_userbyid(relowner), current_user)
			  from t where pg_has_role(relowner, 'USAGE') and not pg_has_role(relowner,
			         case when current_setting('server_version_num')::int < 160000 then 'MEMBER' else 'SET' end)
			union all
			select format('lies in schema ''%s'', where role ''%s'' must not create tables', nspname, current_user)
			  from t where not has_schema_privilege(relnamespace, 'CREATE')
			""";

	/** Parts that a copy would lose. */
	private static final String PARTS = TABLE
			+ """
					select format('has the trigger ''%s''', tgname) from t join pg_trigger on tgrelid = t.oid and not tgisinternal
					union all
					select format('has the rule ''%s''', rulename) from t join pg_rewrite on ev_class = t.oid
					union all
					select format('has the foreign key ''%s'' to %s', conname, confrelid::regclass)
					  from t join pg_constraint on conrelid = t.oid and contype = 'f'
					union all
					select format('has the statistics ''%s'' in another schema or of another owner', stxname)
					  from t join pg_statistic_ext on stxrelid = t.oid
					 where stxnamespace <> relnamespace or stxowner <> relowner
					union all
					select format('has a security label of ''%s''', provider)
					  from t join pg_seclabel on objoid = t.oid and classoid = 'pg_class'::regclass
					union all
					select format('belongs to extension ''%s''', extname)
					  from t join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = t.oid and d.deptype = 'e'
					  join pg_extension x on x.oid = d.refobjid
					""";

	/** It would still refer to the former table. */
	private static final String REFERENCES = TABLE + """
			select format('is referenced by the foreign key ''%s'' of %s', conname, conrelid::regclass)
			  from t join pg_constraint on confrelid = t.oid and contype = 'f'
			   and conrelid <> all(cast(? as oid[]))
			""";

	/**
	 * One of all tables would publish the tables of a generation, too, which subscribers
	 * lack.
	 */
	private static final String REPLICATION = TABLE
			+ """
					select format('is published by publication ''%s''', pubname)
					  from t join pg_publication_rel on prrelid = t.oid join pg_publication p on p.oid = prpubid
					union all
					select format('is published by publication ''%s'', which publishes all tables', pubname)
					  from t join pg_publication on puballtables and relpersistence = 'p'
					union all
					select 'is filled by a subscription' from t where exists (select from pg_subscription_rel where srrelid = t.oid)
					""";

	/** PostgreSQL 14 has no such publications. */
	private static final String PUBLISHED_SCHEMAS = TABLE + """
			select format('lies in schema ''%s'', which publication ''%s'' publishes', nspname, pubname)
			  from t join pg_publication_namespace on pnnspid = relnamespace join pg_publication p on p.oid = pnpubid
			""";

	/** A default may use a sequence of its own table, or one of no table. */
	private static final String SEQUENCES = TABLE
			+ """
					select format('has column ''%s'', whose default uses sequence %s of table %s', attname, u.refobjid::regclass,
					              o.refobjid::regclass)
					  from t join pg_attrdef f on f.adrelid = t.oid
					  join pg_attribute a on a.attrelid = t.oid and a.attnum = f.adnum
					  join pg_depend u on u.classid = 'pg_attrdef'::regclass and u.objid = f.oid
					                  and u.refclassid = 'pg_class'::regclass
					  join pg_depend o on o.classid = 'pg_class'::regclass and o.objid = u.refobjid and o.deptype in ('a', 'i')
					                  and o.refclassid = 'pg_class'::regclass and o.refobjid <> t.oid
					""";

	/**
	 * What PostgreSQL drops together with the table is a part of it. Anything else
	 * depends on a part would stay with the former table. By pg_depend_reference_index.
	 */
	private static final String DEPENDENTS = """
			with recursive part(classid, objid) as (
			  select 'pg_class'::regclass::oid, cast(? as oid)
			  union
			  select d.classid, d.objid from part p
			    join pg_depend d on d.refclassid = p.classid and d.refobjid = p.objid and d.deptype in ('a', 'i'))
			select distinct format('is used by %s', coalesce(
			         (select pg_describe_object('pg_class'::regclass, ev_class, 0) from pg_rewrite r
			           where d.classid = 'pg_rewrite'::regclass and r.oid = d.objid),
			         pg_describe_object(d.classid, d.objid, d.objsubid)))
			  from part p
			  join pg_depend d on d.refclassid = p.classid and d.refobjid = p.objid and d.deptype = 'n'
			 where (d.classid, d.objid) not in (select classid, objid from part)
			   and not exists (select from pg_constraint f
			                    where d.classid = 'pg_constraint'::regclass and f.oid = d.objid and f.contype = 'f')
			""";

	/** A policy of a copy would still read the live tables. */
	private static final String POLICIES = TABLE + """
			select distinct format('has the policy ''%s'', which reads %s', polname, d.refobjid::regclass)
			  from t join pg_policy p on polrelid = t.oid
			  join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
			                  and d.refclassid = 'pg_class'::regclass
			 where d.refobjid <> t.oid and d.refobjid = any(cast(? as oid[]))
			""";

	private final JdbcTemplate jdbc;

	TableSurvey(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** All that stands in the way: obstacles, and rights that the current role lacks. */
	List<String> refusals(Collection<String> names, TableOrigin origin) {
		List<String> refusals = survey(names, origin, true);
		refusals.addAll(this.jdbc.queryForList(
				"""
						select format('Role ''%s'' must not create schemas in database ''%s''.', current_user, current_database())
						 where not has_database_privilege(current_database(), 'CREATE')""",
				String.class));
		return refusals;
	}

	/** What stands in the way of any role. */
	List<String> obstacles(Collection<String> names, TableOrigin origin) {
		return survey(names, origin, false);
	}

	private List<String> survey(Collection<String> names, TableOrigin origin, boolean rights) {
		List<String> refusals = new ArrayList<>();
		Map<Long, LiveTable> found = new LinkedHashMap<>();
		for (String name : names) {
			Optional<LiveTable> table = find(name, refusals);
			if (table.isPresent() && found.putIfAbsent(table.get().oid(), table.get()) != null) {
				refusals.add("Table '" + name + "' is declared twice.");
			}
		}
		String declared = found.keySet().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
		found.values()
			.forEach((table) -> reasons(table, declared, origin, rights)
				.forEach((reason) -> refusals.add("Table '" + table.name() + "' " + reason + ".")));
		Set<String> schemas = new TreeSet<>();
		found.values().forEach((table) -> schemas.add(table.schema()));
		if (schemas.size() > 1) {
			refusals.add("The tables " + names + " lie in several schemas: " + schemas + ".");
		}
		return refusals;
	}

	private Optional<LiveTable> find(String name, List<String> refusals) {
		if (LiveTable.isQualified(name)) {
			refusals.add("Table '" + name + "' is declared with a schema, but handlers of a generation find its tables "
					+ "by their search_path.");
			return Optional.empty();
		}
		if (!LiveTable.isSimple(name)) {
			refusals.add("'" + name + "' is not the name of a table as a statement writes it.");
			return Optional.empty();
		}
		Optional<LiveTable> found = LiveTable.find(this.jdbc, name);
		if (found.isEmpty()) {
			refusals.add("Table '" + name + "' does not exist on the search_path.");
		}
		return found;
	}

	private List<String> reasons(LiveTable table, String declared, TableOrigin origin, boolean rights) {
		List<String> reasons = new ArrayList<>(reasons(KIND, table.oid()));
		if (reasons.isEmpty()) {
			reasons.addAll(rights ? reasons(RIGHTS, table.oid()) : List.of());
			List.of(REPLICATION, DEPENDENTS).forEach((query) -> reasons.addAll(reasons(query, table.oid())));
			reasons.addAll(reasons(REFERENCES, table.oid(), declared));
			if (schemasCanBePublished()) {
				reasons.addAll(reasons(PUBLISHED_SCHEMAS, table.oid()));
			}
			if (origin == TableOrigin.COPY) {
				List.of(PARTS, SEQUENCES).forEach((query) -> reasons.addAll(reasons(query, table.oid())));
				reasons.addAll(reasons(POLICIES, table.oid(), declared));
			}
		}
		return reasons;
	}

	private boolean schemasCanBePublished() {
		return Boolean.TRUE.equals(this.jdbc
			.queryForObject("select to_regclass('pg_catalog.pg_publication_namespace') is not null", Boolean.class));
	}

	private List<String> reasons(String query, Object... arguments) {
		return this.jdbc.queryForList(query, String.class, arguments);
	}

}
