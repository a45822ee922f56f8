package dev.eventing.sdk.projection.tables;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads what lies in a schema. */
final class SchemaContents {

	/**
	 * What PostgreSQL drops together with a table is a part of it. By
	 * pg_depend_reference_index.
	 */
	private static final String STRANGERS = """
			with recursive part(classid, objid) as (
			  select 'pg_class'::regclass::oid, c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
			   where n.nspname = ? and c.relkind = 'r' and c.relname = any(?)
			  union
			  select d.classid, d.objid from part p
			    join pg_depend d on d.refclassid = p.classid and d.refobjid = p.objid and d.deptype in ('a', 'i'))
			select pg_describe_object(d.classid, d.objid, 0) from pg_depend d
			 where d.refclassid = 'pg_namespace'::regclass and d.deptype = 'n'
			   and d.refobjid = (select oid from pg_namespace where nspname = ?)
			   and (d.classid, d.objid) not in (select classid, objid from part)
			 order by 1 limit 3
			""";

	private final JdbcTemplate jdbc;

	SchemaContents(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	boolean exists(String schema) {
		return Boolean.TRUE.equals(this.jdbc
			.queryForObject("select exists (select from pg_namespace where nspname = ?)", Boolean.class, schema));
	}

	/** Whether the schema is the current role's, and empty. */
	boolean isPrepared(String schema) {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(
				"select exists (select from pg_namespace where nspname = ? and pg_has_role(nspowner, 'USAGE'))",
				Boolean.class, schema)) && strangers(schema, List.of()).isEmpty();
	}

	/** Whether the current role could create the schema again. */
	boolean canBeCreated() {
		return Boolean.TRUE.equals(
				this.jdbc.queryForObject("select has_database_privilege(current_database(), 'CREATE')", Boolean.class));
	}

	/** What does not belong to these tables: the first three. */
	List<String> strangers(String schema, List<String> tables) {
		return this.jdbc.query((connection) -> {
			var statement = connection.prepareStatement(STRANGERS);
			statement.setString(1, schema);
			statement.setArray(2, connection.createArrayOf("text", tables.toArray()));
			statement.setString(3, schema);
			return statement;
		}, (row, number) -> row.getString(1));
	}

	/**
	 * Makes sure that nothing lies in the schema but these tables.
	 * @throws ReadModelTablesException if something else does
	 */
	void requireNothingBut(String schema, List<String> tables) {
		List<String> strangers = strangers(schema, tables);
		if (!strangers.isEmpty()) {
			throw new ReadModelTablesException("Schema '" + schema + "' holds more than the read model's tables: "
					+ String.join(", ", strangers) + ". Consider another schema for them, or drop them.");
		}
	}

}
