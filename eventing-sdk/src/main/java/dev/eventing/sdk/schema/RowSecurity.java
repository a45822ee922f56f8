package dev.eventing.sdk.schema;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Asks whether row level security may hide rows of the SDK's tables from the role that
 * asks. A hidden event would look like a position that was never filled, and a hidden
 * claim like an event that was never applied.
 */
public final class RowSecurity {

	/**
	 * True if security is active for the role, and no permissive policy shows it all
	 * rows, or a restrictive one may take some away. The policies are only looked at
	 * where security is active.
	 */
	private static final String HIDES = """
			case when row_security_active(%1$s) then
			       not exists (select 1 from pg_policy p
			                    where p.polrelid = %1$s and p.polpermissive and p.polcmd in (%2$s)
			                      and pg_get_expr(p.polqual, p.polrelid) = 'true'
			                      and exists (select 1 from unnest(p.polroles) r(id)
			                                   where r.id = 0 or pg_has_role(r.id, 'USAGE')))
			       or exists (select 1 from pg_policy p where p.polrelid = %1$s and not p.polpermissive)
			     else false end""";

	/**
	 * The SDK's tables with row security. The schema may have others, of the application.
	 */
	private static final String TABLES = """
			select c.relname, current_user, %s,
			       not row_security_active(c.oid) and (c.relforcerowsecurity or not pg_has_role(c.relowner, 'USAGE'))
			  from pg_class c join pg_namespace n on n.oid = c.relnamespace
			 where n.nspname = ? and c.relname = any (?) and c.relkind in ('r', 'p') and c.relrowsecurity
			 order by c.relname
			""".formatted(HIDES.formatted("c.oid", "'*'"));

	private RowSecurity() {
	}

	/**
	 * An SQL expression that is true if rows of a table may be hidden from the present
	 * role when it reads. It costs one look at the catalog's cache where security is off.
	 * @param table the table as {@link EventingSchema#table(String)} writes it
	 */
	public static String hidesRowsOf(String table) {
		return HIDES.formatted("'" + table + "'::regclass", "'*', 'r'");
	}

	/**
	 * A table whose rows may be hidden: the reason, and the statements that mend it.
	 * @param table the table as SQL writes it
	 * @param role the role that reads it
	 */
	public static String problem(String table, String role) {
		return "row level security may hide rows of %s from role '%s'. Consider 'alter role \"%s\" bypassrls', or 'create policy eventing_sees_all on %s to \"%s\" using (true) with check (true)'"
			.formatted(table, role, role, table, role);
	}

	/** The tables of the SDK that have row security, for any role. */
	static List<Secured> secured(JdbcTemplate jdbc, EventingSchema schema) {
		return jdbc.query(TABLES,
				(row, number) -> new Secured(row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4)),
				schema.name(), RequiredTable.names());
	}

	/** One for each table whose rows may be hidden. */
	static List<String> problems(List<Secured> secured, EventingSchema schema) {
		return secured.stream()
			.filter(Secured::hidesRows)
			.map((table) -> problem(schema.table(table.name()), table.role()))
			.toList();
	}

	/**
	 * One for each table whose rows were hidden until the role got the right to see them.
	 * PostgreSQL keeps plans that hide them until the session ends or the table changes.
	 * Readers of the log drop theirs.
	 */
	static List<String> oldPlans(List<Secured> secured, EventingSchema schema) {
		return secured.stream()
			.filter((table) -> table.isRoleExempt() && !table.name().equals("events"))
			.map((table) -> "rows of %s were hidden from role '%s', and open connections have plans that still hide them. Consider a restart of the application"
				.formatted(schema.table(table.name()), table.role()))
			.toList();
	}

	/**
	 * A table with row security.
	 *
	 * @param role the role that asked
	 * @param hidesRows whether rows may be hidden from the role
	 * @param isRoleExempt whether the role sees all rows because it has BYPASSRLS
	 */
	record Secured(String name, String role, boolean hidesRows, boolean isRoleExempt) {
	}

}
