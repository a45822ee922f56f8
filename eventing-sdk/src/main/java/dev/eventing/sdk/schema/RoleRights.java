package dev.eventing.sdk.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Compares the rights of the present role with those that the SDK's statements need.
 * Without a right the first of them would fail, long after the start.
 */
final class RoleRights {

	private static final String ROLE = "select quote_ident(current_user)";

	private static final String USAGE = "select has_schema_privilege(?, 'USAGE')";

	/**
	 * The missing rights per table. A view needs one right. Only an erasure changes
	 * events and writes erasures, and it may have another role.
	 */
	private static final String TABLES = """
			select c.relname,
			       concat_ws(', ', case when not has_table_privilege(c.oid, 'SELECT') then 'select' end,
			                 case when c.relkind <> 'v' and not has_table_privilege(c.oid, 'INSERT')
			                       and c.relname <> 'erasures' then 'insert' end,
			                 case when c.relkind <> 'v' and not has_table_privilege(c.oid, 'UPDATE')
			                       and c.relname not in ('events', 'erasures') then 'update' end,
			                 case when c.relkind <> 'v' and not has_table_privilege(c.oid, 'DELETE')
			                       and c.relname not in ('events', 'erasures') then 'delete' end)
			  from pg_class c join pg_namespace n on n.oid = c.relnamespace
			 where n.nspname = ? and c.relname = any (?) and c.relkind in ('r', 'p', 'v')
			 order by c.relname
			""";

	/**
	 * Appends and readers of the event store look at them. PostgreSQL may look at rights
	 * before it looks at other conditions, and refuses to for what is no sequence.
	 */
	private static final String SEQUENCES = """
			select quote_ident(n.nspname) || '.' || quote_ident(s.relname)
			""" + Sequences.OF_TABLES
			+ " and case when s.relkind = 'S' then not has_sequence_privilege(s.oid, 'SELECT') end";

	private static final String FUNCTIONS = """
			select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
			  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
			 where n.nspname = ? and p.proname = any (?) and not has_function_privilege(p.oid, 'EXECUTE')
			 order by p.proname
			""";

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	/** Of the role of this template. */
	RoleRights(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/**
	 * One for the rights that are missing on the schema, and one for each set of them
	 * that is missing on some tables, each with the statement that grants them.
	 */
	List<String> problems() {
		List<String> problems = new ArrayList<>();
		String role = String.valueOf(this.jdbc.queryForObject(ROLE, String.class));
		if (!Boolean.TRUE.equals(this.jdbc.queryForObject(USAGE, Boolean.class, this.schema.name()))) {
			problems.add("role %1$s may not use the schema. Consider 'grant usage on schema \"%2$s\" to %1$s'"
				.formatted(role, this.schema.name()));
		}
		tables().forEach((rights, tables) -> problems.add(missing(role, rights, "table", tables)));
		List<String> sequences = this.jdbc.queryForList(SEQUENCES, String.class, this.schema.name(),
				new String[] { "events", "projection_inline" });
		if (!sequences.isEmpty()) {
			problems.add(missing(role, "select", "sequence", sequences));
		}
		List<String> functions = missingFunctions(this.jdbc, this.schema);
		if (!functions.isEmpty()) {
			problems.add(missing(role, "execute", "function", functions));
		}
		return problems;
	}

	/** The functions that the role may not call, as a grant names them. */
	static List<String> missingFunctions(JdbcTemplate jdbc, EventingSchema schema) {
		return jdbc.queryForList(FUNCTIONS, String.class, schema.name(),
				RequiredTable.FUNCTIONS.toArray(String[]::new));
	}

	/** Tables by the rights that are missing on them. */
	private Map<String, List<String>> tables() {
		Map<String, List<String>> tables = new TreeMap<>();
		this.jdbc.query(TABLES, (row) -> {
			if (!row.getString(2).isEmpty()) {
				tables.computeIfAbsent(row.getString(2), (rights) -> new ArrayList<>())
					.add(this.schema.table(row.getString(1)));
			}
		}, this.schema.name(), RequiredTable.names());
		return tables;
	}

	private static String missing(String role, String rights, String kind, List<String> objects) {
		return "role %1$s lacks the right to %2$s. Consider 'grant %2$s on %3$s %4$s to %1$s'".formatted(role, rights,
				kind, String.join(", ", objects));
	}

}
