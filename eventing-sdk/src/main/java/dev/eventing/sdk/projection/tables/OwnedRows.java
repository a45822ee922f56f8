package dev.eventing.sdk.projection.tables;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The rows of a table of a read model that belong to one stream. In the caller's
 * transaction.
 */
public final class OwnedRows {

	private final JdbcClient jdbc;

	private final String table;

	private final String condition;

	private final String tenant;

	/** Null if no row can have it, because the column has another type. */
	private final @Nullable Object stream;

	private final boolean hidden;

	private final List<String> missing;

	private OwnedRows(JdbcClient jdbc, Columns found, Ownership ownership, String tenant, @Nullable Object stream) {
		this.jdbc = jdbc;
		this.table = found.table();
		this.condition = "%s = :tenant and %s = :stream".formatted(
				compared(ownership.tenantColumn(), found.tenantType()),
				compared(ownership.streamColumn(), found.streamType()));
		this.tenant = tenant;
		this.stream = stream;
		this.hidden = found.hidden();
		this.missing = found.missing();
	}

	/**
	 * Finds the table and its columns. By the primary keys of the catalog.
	 * @param schema where it lies; null if the {@code search_path} decides
	 * @return empty if the table does not exist, or lacks one of the columns
	 */
	public static Optional<OwnedRows> find(JdbcClient jdbc, @Nullable String schema, Ownership ownership, String tenant,
			String stream) {
		return jdbc.sql("""
				select c.oid::regclass::text, format_type(t.atttypid, null), format_type(s.atttypid, null),
				       row_security_active(c.oid),
				       has_table_privilege(c.oid, 'SELECT'), has_table_privilege(c.oid, 'DELETE')
				  from pg_class c
				  join pg_attribute t on t.attrelid = c.oid and t.attname = :tenantColumn and t.attnum > 0
				  join pg_attribute s on s.attrelid = c.oid and s.attname = :streamColumn and s.attnum > 0
				 where c.oid = to_regclass(coalesce(quote_ident(cast(:schema as text)) || '.', '') || :table)""")
			.param("tenantColumn", ownership.tenantColumn())
			.param("streamColumn", ownership.streamColumn())
			.param("schema", LiveTable.isQualified(ownership.table()) ? null : schema)
			.param("table", ownership.table())
			.query((row, number) -> new Columns(row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4),
					missing(row.getBoolean(5), row.getBoolean(6))))
			.optional()
			.map((found) -> new OwnedRows(jdbc, found, ownership, tenant,
					value(ownership, stream, found.streamType())));
	}

	private static List<String> missing(boolean selectable, boolean deletable) {
		return Stream.of(selectable ? "" : "select", deletable ? "" : "delete")
			.filter((right) -> !right.isEmpty())
			.toList();
	}

	/** A uuid keeps its index. Other types than uuid and text are compared as texts. */
	private static String compared(String column, String type) {
		String quoted = '"' + column.replace("\"", "\"\"") + '"';
		return (isText(type) || type.equals("uuid")) ? quoted : "cast(" + quoted + " as text)";
	}

	private static boolean isText(String type) {
		return type.equals("text") || type.startsWith("character");
	}

	private static @Nullable Object value(Ownership ownership, String stream, String type) {
		if (!stream.startsWith(ownership.streamPrefix())) {
			return null;
		}
		String own = stream.substring(ownership.streamPrefix().length());
		if (!type.equals("uuid")) {
			return own;
		}
		try {
			return UUID.fromString(own);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** The table as SQL writes it. */
	public String table() {
		return this.table;
	}

	/** Whether row level security may hide rows from the role of the connection. */
	public boolean areHidden() {
		return this.hidden;
	}

	/** The rights to find and delete them that the role of the connection lacks. */
	public List<String> missingRights() {
		return this.missing;
	}

	/** How many there are. */
	public long count() {
		return (this.stream == null) ? 0
				: this.jdbc.sql("select count(*) from " + this.table + " where " + this.condition)
					.param("tenant", this.tenant)
					.param("stream", this.stream)
					.query(Long.class)
					.single();
	}

	/** Deletes them. */
	public long delete() {
		return (this.stream == null) ? 0
				: this.jdbc.sql("delete from " + this.table + " where " + this.condition)
					.param("tenant", this.tenant)
					.param("stream", this.stream)
					.update();
	}

	private record Columns(String table, String tenantType, String streamType, boolean hidden, List<String> missing) {
	}

	/**
	 * A projector's declaration of a table.
	 *
	 * @param table its name, as the projector declares it
	 * @param tenantColumn the column with the tenant
	 * @param streamColumn the column with the stream id
	 * @param streamPrefix how stream ids begin, where the column has the rest only; else
	 * empty
	 */
	public record Ownership(String table, String tenantColumn, String streamColumn, String streamPrefix) {
	}

}
