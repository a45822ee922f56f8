package dev.eventing.sdk.projection.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What readers and writers meet at the tables of two schemas: columns, rights, keys,
 * indexes, policies and settings. Comments are not looked at.
 */
final class TableStructure {

	private static final String TABLE = """
			with t as (select c.*, n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
			            where n.nspname = ? and c.relname = ? and c.relkind = 'r'),
			a as (select a.* from t join pg_attribute a on a.attrelid = t.oid and attnum > 0 and not attisdropped)
			""";

	private static final String COLUMNS = TABLE + """
			select attname, concat_ws(' ', format_type(atttypid, atttypmod),
			         (select 'collate ' || attcollation::regcollation from pg_type y
			           where y.oid = atttypid and y.typcollation <> attcollation)) from a
			""";

	/**
	 * A thing by name, what it is, the columns that it needs, and whether no other one
	 * may be added. A copy has no constraint that is not validated: {@code like} copies
	 * it as one that is, because the copy has no rows.
	 */
	private static final String THINGS = TABLE
			+ """
					, s as (
					  select c.*, a.attname from t
					    join pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = t.oid
					                    and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
					    join pg_class c on c.oid = d.objid and c.relkind = 'S'
					    join a on a.attnum = d.refobjsubid),
					granted as (
					  select '' as suffix, x.*, relowner, '{}'::name[] as columns
					    from t, aclexplode(coalesce(relacl, acldefault('r', relowner))) x
					  union all
					  select format(' on sequence %I', relname), x.*, relowner, array[attname]
					    from s, aclexplode(coalesce(relacl, acldefault('s', relowner))) x
					  union all
					  select format(' (%I)', attname), x.*, relowner, array[attname] from t, a, aclexplode(attacl) x)
					select 'owner', pg_get_userbyid(relowner)::text, '{}'::name[], true from t
					union all
					select format('grant of %s%s to %s', privilege_type, suffix,
					              case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end),
					       is_grantable::text, columns, true from granted where grantee <> relowner
					union all
					select 'row level security', relforcerowsecurity::text, '{}', true from t where relrowsecurity
					union all
					select format('policy %I', polname),
					       concat_ws('|', polpermissive, polcmd, (select array_agg(r order by r) from unnest(polroles::regrole[]) r),
					                 pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)),
					       array(select attname from a join pg_depend d on d.refobjsubid = attnum and d.refobjid = attrelid
					              where d.classid = 'pg_policy'::regclass and d.objid = p.oid), true
					  from t join pg_policy p on polrelid = t.oid
					union all
					select 'kind of storage', concat_ws('|', relpersistence, relam, reltablespace), '{}', false from t
					union all
					select 'replica identity', relreplident::text, '{}', false from t where relreplident <> 'd'
					union all
					select format('setting %s%s', prefix, split_part(option, '=', 1)), option, '{}', false
					  from (select '' as prefix, unnest(t.reloptions) as option from t
					         union all
					        select 'toast.', unnest(o.reloptions) from t join pg_class o on o.oid = t.reltoastrelid) o
					union all
					select format('not null of column %I', attname), '', array[attname], false from a where attnotnull
					union all
					select format('identity of column %I', attname), attidentity::text, array[attname], false
					  from a where attidentity <> ''
					union all
					select format('%s of column %I', case attgenerated when '' then 'default' else 'expression' end, attname),
					       pg_get_expr(adbin, adrelid), array[attname], false
					  from a join pg_attrdef on adrelid = attrelid and adnum = attnum
					union all
					select format('settings of column %I', attname), concat_ws('|', attstorage, attcompression,
					       case when attstattarget >= 0 then attstattarget end, attoptions), array[attname], false from a
					union all
					select format('constraint %I', conname), regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', ''),
					       array(select attname from a where attnum = any(conkey)), false
					  from t join pg_constraint k on conrelid = t.oid and contype in ('c', 'p', 'u', 'x')
					union all
					select format('index %I', c.relname),
					       concat_ws('|', pg_get_indexdef(i.indexrelid), indisclustered, indisreplident),
					       array(select attname from a join pg_depend d on d.refobjsubid = attnum and d.refobjid = attrelid
					              where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid), false
					  from t join pg_index i on indrelid = t.oid and indisvalid join pg_class c on c.oid = indexrelid
					 where not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
					union all
					select format('statistics %I', stxname), pg_get_statisticsobjdef(x.oid),
					       array(select attname from a join pg_depend d on d.refobjsubid = attnum and d.refobjid = attrelid
					              where d.classid = 'pg_statistic_ext'::regclass and d.objid = x.oid), false
					  from t join pg_statistic_ext x on stxrelid = t.oid
					""";

	private final JdbcTemplate jdbc;

	private final SearchPath path;

	TableStructure(JdbcTemplate jdbc, SearchPath path) {
		this.jdbc = jdbc;
		this.path = path;
	}

	/**
	 * Columns of the live tables that the tables of the other schema lack, or have with
	 * another type.
	 */
	List<String> lostColumns(List<String> names, String live, String other) {
		List<String> lost = new ArrayList<>();
		for (String name : names) {
			lost(name, live, other)
				.forEach((column, change) -> lost.add("column '" + column + "' of table '" + name + "' " + change));
		}
		return lost;
	}

	/** By name: what becomes of each column that is not kept. */
	private Map<String, String> lost(String name, String live, String other) {
		Map<String, String> next = columns(name, other, live);
		Map<String, String> lost = new TreeMap<>();
		columns(name, live, other).forEach((column, type) -> {
			String becomes = next.get(column);
			if (becomes == null) {
				lost.put(column, "is missing");
			}
			else if (!becomes.equals(type)) {
				lost.put(column, "is " + becomes + ", not " + type);
			}
		});
		return lost;
	}

	private Map<String, String> columns(String name, String schema, String compared) {
		Map<String, String> columns = new HashMap<>();
		qualified(() -> this.jdbc.query(COLUMNS, (row) -> {
			columns.put(row.getString(1), unqualified(row.getString(2), schema, compared));
		}, schema, name));
		return columns;
	}

	/**
	 * What else the tables of the other schema have not, or have otherwise; and rights
	 * and policies that the live ones have not. Nothing that needs a column which is
	 * lost. Where a script has created the tables of one schema, only rights and policies
	 * count.
	 */
	List<String> differences(List<String> names, String live, String other, TableOrigin origin) {
		List<String> differences = new ArrayList<>();
		for (String name : names) {
			Set<String> lost = lost(name, live, other).keySet();
			Set<String> known = columns(name, live, other).keySet();
			Map<String, Thing> before = things(name, live, other);
			Map<String, Thing> after = things(name, other, live);
			Set<String> differing = new TreeSet<>();
			before.forEach((key, thing) -> {
				boolean isKept = thing.detail().equals(detail(after.get(key)));
				if (!isKept && (origin == TableOrigin.COPY || thing.isStrict())
						&& thing.columns().stream().noneMatch(lost::contains)) {
					differing.add(key);
				}
			});
			after.forEach((key, thing) -> {
				if (thing.isStrict() && !before.containsKey(key) && known.containsAll(thing.columns())) {
					differing.add(key);
				}
			});
			differing.forEach((key) -> differences.add(key + " of table '" + name + "'"));
		}
		return differences;
	}

	private static @Nullable String detail(@Nullable Thing thing) {
		return (thing != null) ? thing.detail() : null;
	}

	private Map<String, Thing> things(String name, String schema, String compared) {
		Map<String, Thing> things = new HashMap<>();
		qualified(() -> this.jdbc.query(THINGS, (row) -> {
			List<String> columns = Arrays.asList((String[]) row.getArray(3).getArray());
			things.put(unqualified(row.getString(1), schema, compared),
					new Thing(unqualified(row.getString(2), schema, compared), columns, row.getBoolean(4)));
		}, schema, name));
		return things;
	}

	/** Names are written with their schemas under this search path. */
	private void qualified(Runnable read) {
		String before = this.path.current();
		this.path.set("pg_catalog");
		read.run();
		this.path.set(before);
	}

	/**
	 * The words without the names of both schemas: the tables of each may use types,
	 * functions and sequences of the other. The longer name goes first, as it may end
	 * with the other one.
	 */
	private static String unqualified(String words, String schema, String compared) {
		boolean isLonger = schema.length() > compared.length();
		String longer = unqualified(words, isLonger ? schema : compared);
		return unqualified(longer, isLonger ? compared : schema);
	}

	private static String unqualified(String words, String schema) {
		String quoted = '"' + schema.replace("\"", "\"\"") + '"';
		return words.replace(quoted + '.', "").replace(schema + '.', "");
	}

	private record Thing(String detail, List<String> columns, boolean isStrict) {

		Thing {
			columns = List.copyOf(columns);
		}

	}

}
