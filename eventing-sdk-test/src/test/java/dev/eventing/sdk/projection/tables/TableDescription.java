package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/** All that PostgreSQL's catalog knows of a table, in lines without its schema. */
final class TableDescription {

	private static final String LINES = """
			with t as (select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
			            where n.nspname = ? and c.relname = ?),
			rel as (
			  select t.oid, 'table' as kind, nspname from t
			  union all
			  select indexrelid, 'index', nspname from t join pg_index on indrelid = t.oid
			  union all
			  select d.objid, 'sequence', nspname from t join pg_depend d on d.refobjid = t.oid and d.deptype in ('a', 'i')
			    join pg_sequence on seqrelid = d.objid),
			line(line, nspname) as (
			  select concat_ws('|', kind, c.relname, c.relpersistence, pg_get_userbyid(c.relowner), c.reloptions,
			         (select x.reloptions from pg_class x where x.oid = c.reltoastrelid), c.relrowsecurity,
			         c.relforcerowsecurity, c.relreplident, c.reltablespace, c.relam,
			         (select array_agg(a::text order by a::text)
			            from unnest(coalesce(c.relacl, acldefault(case kind when 'sequence' then 's' else 'r' end::"char",
			                                                      c.relowner))) a where kind <> 'index'),
			         obj_description(c.oid, 'pg_class'), (rel.nspname = n.nspname)), rel.nspname
			    from rel join pg_class c on c.oid = rel.oid join pg_namespace n on n.oid = c.relnamespace
			  union all
			  select concat_ws('|', 'column', c.relname, attname, format_type(atttypid, atttypmod), attnotnull, attstorage,
			         attcompression, coalesce(attstattarget, -1), attoptions, attidentity, attgenerated,
			         attcollation::regcollation, attacl, pg_get_expr(adbin, adrelid), col_description(c.oid, attnum)), nspname
			    from rel join pg_class c on c.oid = rel.oid
			    join pg_attribute on attrelid = rel.oid and attnum > 0 and not attisdropped
			    left join pg_attrdef on adrelid = attrelid and adnum = attnum where kind <> 'sequence'
			  union all
			  select concat_ws('|', 'constraint', conname, convalidated, pg_get_constraintdef(k.oid),
			         obj_description(k.oid, 'pg_constraint')), nspname
			    from t join pg_constraint k on conrelid = t.oid
			  union all
			  select concat_ws('|', 'index', pg_get_indexdef(indexrelid), indisclustered, indisreplident, indimmediate),
			         nspname
			    from t join pg_index on indrelid = t.oid
			  union all
			  select concat_ws('|', 'sequence', relname, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache,
			         seqcycle, (select attname from pg_attribute join pg_depend d on d.refobjid = attrelid
			                       and d.refobjsubid = attnum where d.objid = rel.oid and d.deptype in ('a', 'i'))), nspname
			    from rel join pg_sequence on seqrelid = rel.oid join pg_class c on c.oid = rel.oid
			  union all
			  select concat_ws('|', 'statistics', pg_get_statisticsobjdef(s.oid), pg_get_userbyid(stxowner),
			         coalesce(stxstattarget, -1), obj_description(s.oid, 'pg_statistic_ext')), nspname
			    from t join pg_statistic_ext s on stxrelid = t.oid
			  union all
			  select concat_ws('|', 'policy', polname, polpermissive, polcmd,
			         (select array_agg(r order by r) from unnest(polroles::regrole[]) r), pg_get_expr(polqual, polrelid),
			         pg_get_expr(polwithcheck, polrelid), obj_description(p.oid, 'pg_policy')), nspname
			    from t join pg_policy p on polrelid = t.oid)
			select replace(replace(line, quote_ident(nspname) || '.', ''), quote_literal(nspname) || '.', '') from line order by 1
			""";

	private TableDescription() {
	}

	/** Reads it with a search_path that qualifies every name. */
	static List<String> of(JdbcTemplate jdbc, String schema, String table) {
		String before = jdbc.queryForObject("select current_setting('search_path')", String.class);
		jdbc.queryForList("select set_config('search_path', 'pg_catalog', true)");
		List<String> lines = jdbc.queryForList(LINES, String.class, schema, table);
		jdbc.queryForList("select set_config('search_path', ?, true)", before);
		return lines;
	}

}
