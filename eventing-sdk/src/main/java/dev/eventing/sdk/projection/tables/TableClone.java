package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Copies the structure of a table. Each query reads the catalog and returns statements.
 * What {@code like} copies under other names or not at all is left to the statements
 * after it. They are written by PostgreSQL itself under the {@code search_path} that also
 * reads them.
 */
final class TableClone {

	/** The live table, the schema of the copy, and the copy. */
	static final String LIVE = """
			with live as (
			  select c.*, n.nspname, w.generation, format('%I.%I', w.generation, c.relname) as target
			    from (select cast(? as oid) as id, cast(? as text) as generation) w
			    join pg_class c on c.oid = w.id join pg_namespace n on n.oid = c.relnamespace)
			""";

	private static final String TABLE = LIVE
			+ """
					select format('create %stable %s (like %I.%I including all excluding identity excluding indexes '
					              'excluding statistics) using %I%s%s',
					              case relpersistence when 'u' then 'unlogged ' end, target, nspname, relname, amname,
					              (select ' with (' || string_agg(format('%s%s=%L', prefix, split_part(option, '=', 1),
					                                                    substr(option, strpos(option, '=') + 1)), ', ') || ')'
					                 from (select '' as prefix, unnest(live.reloptions) as option
					                       union all
					                       select 'toast.', unnest(t.reloptions) from pg_class t
					                        where t.oid = live.reltoastrelid) o),
					              (select format(' tablespace %I', spcname) from pg_tablespace s where s.oid = live.reltablespace))
					  from live join pg_am a on a.oid = live.relam
					""";

	/** Sequences of serial columns (a) and of identity columns (i). */
	static final String OWNED = """
			, owned as (
			  select s.*, a.attname, a.attidentity, d.deptype, live.generation, live.target as of,
			         format('%I.%I', live.generation, s.relname) as target,
			         format('increment by %s minvalue %s maxvalue %s start with %s cache %s %scycle', seqincrement, seqmin,
			                seqmax, seqstart, seqcache, case when not seqcycle then 'no ' end) as options,
			         format_type(seqtypid, null) as type
			    from live
			    join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = live.oid
			                    and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
			    join pg_class s on s.oid = d.objid and s.relkind = 'S'
			    join pg_sequence on seqrelid = s.oid
			    join pg_attribute a on a.attrelid = live.oid and a.attnum = d.refobjsubid)
			""";

	private static final String SEQUENCES = LIVE + OWNED
			+ """
					select format('create %ssequence %s as %s %s owned by %s.%I',
					              case relpersistence when 'u' then 'unlogged ' end, target, type, options, of, attname)
					  from owned where deptype = 'a'
					union all
					select format('alter table %s alter column %I add generated %s as identity (sequence name %s %s)', of, attname,
					              case attidentity when 'a' then 'always' else 'by default' end, target, options)
					  from owned where deptype = 'i'
					""";

	/** A default names its sequence as a constant, which the copy's replaces. */
	private static final String DEFAULTS = LIVE + OWNED + """
			select format('alter table %s alter column %I set default %s', live.target, a.attname,
			              replace(pg_get_expr(f.adbin, f.adrelid),
			                      quote_literal(owned.oid::regclass) || '::regclass',
			                      quote_literal(owned.target) || '::regclass'))
			  from live
			  join pg_attrdef f on f.adrelid = live.oid
			  join pg_attribute a on a.attrelid = live.oid and a.attnum = f.adnum
			  join pg_depend d on d.classid = 'pg_attrdef'::regclass and d.objid = f.oid
			                  and d.refclassid = 'pg_class'::regclass
			  join owned on owned.oid = d.refobjid and owned.deptype = 'a'
			""";

	private static final String KEYS = LIVE + """
			select format('alter table %s add constraint %I %s', target, conname, pg_get_constraintdef(k.oid))
			  from live join pg_constraint k on conrelid = live.oid and contype in ('p', 'u', 'x')
			 order by contype <> 'p', conname
			""";

	/** The words before the first difference have a known length. */
	private static final String INDEXES = LIVE + """
			select format('create %sindex %I on %s', case when indisunique then 'unique ' end, i.relname, target)
			       || substr(pg_get_indexdef(i.oid), 1 + length(format('create %sindex %I on %I.%I',
			                 case when indisunique then 'unique ' end, i.relname, nspname, live.relname)))
			  from live join pg_index on indrelid = live.oid and indisvalid join pg_class i on i.oid = indexrelid
			 where not exists (select from pg_constraint where conindid = i.oid and contype in ('p', 'u', 'x'))
			 order by i.relname
			""";

	private static final String INDEX_SETTINGS = LIVE + """
			, i as (
			  select i.*, indisclustered, indisreplident, live.target as of,
			         format('%I.%I', generation, i.relname) as target
			    from live join pg_index on indrelid = live.oid and indisvalid join pg_class i on i.oid = indexrelid)
			select format('alter index %s set (%s=%L)', target, split_part(option, '=', 1),
			              substr(option, strpos(option, '=') + 1))
			  from i, unnest(reloptions) option
			union all
			select format('alter index %s set tablespace %I', target, spcname)
			  from i join pg_tablespace s on s.oid = reltablespace
			union all
			select format('alter index %s alter column %s set statistics %s', target, attnum, attstattarget)
			  from i join pg_attribute on attrelid = i.oid where attstattarget >= 0
			union all
			select format('alter table %s cluster on %I', of, relname) from i where indisclustered
			union all
			select format('alter table %s replica identity using index %I', of, relname) from i where indisreplident
			""";

	private static final String STATISTICS = LIVE
			+ """
					, s as (
					  select s.*, live.target as of, format('%I.%I', generation, stxname) as target,
					         to_jsonb(s) ->> 'stxstattarget' as goal,
					         (select string_agg(case kind when 'd' then 'ndistinct' when 'f' then 'dependencies' else 'mcv' end, ', ')
					            from unnest(stxkind) kind where kind <> 'e') as kinds
					    from live join pg_statistic_ext s on stxrelid = live.oid)
					select format('create statistics %s %s on %s from %s', target,
					              case when cardinality(stxkeys::int2[]) + (stxexprs is not null)::int > 1
					                     or stxexprs is null then '(' || kinds || ')' end,
					              pg_get_statisticsobjdef_columns(oid), of) from s
					union all
					select format('alter statistics %s set statistics %s', target, goal) from s where goal::int >= 0
					""";

	private static final String COLUMNS = LIVE + """
			, a as (select target, a.* from live join pg_attribute a on attrelid = live.oid
			         where attnum > 0 and not attisdropped)
			select format('alter table %s alter column %I set statistics %s', target, attname, attstattarget)
			  from a where attstattarget >= 0
			union all
			select format('alter table %s alter column %I set (%s)', target, attname, option)
			  from a, unnest(attoptions) option
			union all
			select format('alter table %s replica identity %s', target,
			              case relreplident when 'f' then 'full' else 'nothing' end)
			  from live where relreplident in ('f', 'n')
			""";

	private static final String COMMENTS = LIVE + OWNED + """
			, o as (
			  select 'pg_class'::regclass as class, oid, 'table ' || target as object from live
			  union all
			  select 'pg_class'::regclass, oid, 'sequence ' || target from owned
			  union all
			  select 'pg_class'::regclass, indexrelid, format('index %I.%I', generation, i.relname)
			    from live join pg_index on indrelid = live.oid and indisvalid join pg_class i on i.oid = indexrelid
			  union all
			  select 'pg_constraint'::regclass, k.oid, format('constraint %I on %s', conname, target)
			    from live join pg_constraint k on conrelid = live.oid
			  union all
			  select 'pg_statistic_ext'::regclass, s.oid, format('statistics %I.%I', generation, stxname)
			    from live join pg_statistic_ext s on stxrelid = live.oid
			  union all
			  select 'pg_policy'::regclass, p.oid, format('policy %I on %s', polname, target)
			    from live join pg_policy p on polrelid = live.oid)
			select format('comment on %s is %L', object, description)
			  from o join pg_description on classoid = class and objoid = oid and objsubid = 0
			""";

	private static final String POLICIES = LIVE
			+ """
					select format('alter table %s enable row level security', target) from live where relrowsecurity
					union all
					select format('alter table %s force row level security', target) from live where relforcerowsecurity
					union all
					select format('create policy %I on %s as %s for %s to %s%s%s', polname, target,
					              case when polpermissive then 'permissive' else 'restrictive' end,
					              case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update'
					                          when 'd' then 'delete' else 'all' end,
					              (select string_agg(case role when 0 then 'public' else quote_ident(pg_get_userbyid(role)) end, ', ')
					                 from unnest(polroles) role),
					              ' using (' || pg_get_expr(polqual, polrelid) || ')',
					              ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')')
					  from live join pg_policy on polrelid = live.oid
					""";

	private static final List<String> STEPS = List.of(TABLE, SEQUENCES, DEFAULTS, KEYS, INDEXES, INDEX_SETTINGS,
			STATISTICS, COLUMNS, POLICIES, COMMENTS);

	private final JdbcTemplate jdbc;

	TableClone(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Creates the copy, whose schema exists. What has no tablespace of its own lies in
	 * that of the database, whatever {@code default_tablespace} says in the session.
	 */
	void create(LiveTable live, String schema) {
		String before = this.jdbc.queryForObject("select current_setting('default_tablespace')", String.class);
		setTablespace("");
		for (String step : STEPS) {
			this.jdbc.queryForList(step, String.class, live.oid(), schema).forEach(this.jdbc::execute);
		}
		setTablespace(String.valueOf(before));
	}

	private void setTablespace(String name) {
		this.jdbc.queryForObject("select set_config('default_tablespace', ?, true)", String.class, name);
	}

}
