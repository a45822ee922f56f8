package dev.eventing.sdk.schema;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The identity of the SDK's tables, in {@code schema_identity}: a random id that is made
 * once and stays with the data, through failovers and restored backups. What lies outside
 * of the database and belongs to it carries that id, so that another database with the
 * same names is told apart. Thread-safe.
 */
public final class SchemaIdentity {

	private final JdbcOperations jdbc;

	private final String table;

	private volatile @Nullable UUID known;

	/** Asks no database yet. */
	public SchemaIdentity(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.table = schema.table("schema_identity");
	}

	/**
	 * The identity, made now if there is none: a copy of the tables without their rows
	 * has another one. Asked for once.
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public UUID get() {
		UUID identity = this.known;
		if (identity == null) {
			identity = find();
			if (identity == null) {
				this.jdbc.update("insert into %s default values on conflict do nothing".formatted(this.table));
				identity = find();
			}
			if (identity == null) {
				throw new IllegalStateException("Table " + this.table + " keeps no row.");
			}
			this.known = identity;
		}
		return identity;
	}

	private @Nullable UUID find() {
		// One row.
		List<UUID> rows = this.jdbc.queryForList("select id from %s".formatted(this.table), UUID.class);
		return rows.isEmpty() ? null : rows.get(0);
	}

}
