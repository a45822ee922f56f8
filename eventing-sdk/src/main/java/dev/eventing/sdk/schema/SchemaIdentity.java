package dev.eventing.sdk.schema;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The identity of the SDK's tables, in {@code schema_identity}: a random id that is
 * created once. It stays with the data through failovers and restores. Objects outside
 * the database that belong to it carry this id, so the SDK can distinguish another
 * database with the same names. Thread-safe.
 */
public final class SchemaIdentity {

	private final JdbcOperations jdbc;

	private final String table;

	private volatile @Nullable UUID known;

	/** Does not access the database yet. */
	public SchemaIdentity(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.table = schema.table("schema_identity");
	}

	/**
	 * The identity. Created now if there is none, so a copy of the tables without their
	 * rows has another identity. Read once, then cached.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
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
