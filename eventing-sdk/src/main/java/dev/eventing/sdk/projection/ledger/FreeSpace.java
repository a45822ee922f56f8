package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The free space on the disk of the tables. PostgreSQL does not report it, so operators
 * may give the SDK's schema a function {@code free_space()} that returns the bytes. Every
 * tool that is connected to the database calls it. Without it, the free space is not
 * known. Thread-safe.
 */
public final class FreeSpace {

	private final JdbcOperations jdbc;

	private final String function;

	/** Sends no query yet. */
	public FreeSpace(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.function = '"' + schema.name() + "\".free_space()";
	}

	/** The free bytes; null if they are not known. */
	public @Nullable Long bytes() {
		// A statement that names a function fails without it.
		return isKnown() ? this.jdbc.queryForObject("select " + this.function + "::bigint", Long.class) : null;
	}

	private boolean isKnown() {
		return Boolean.TRUE
			.equals(this.jdbc.queryForObject("select to_regprocedure(?) is not null", Boolean.class, this.function));
	}

	/**
	 * Why a second copy of tables does not fit, or null if it does, or if that is
	 * unknown.
	 * @param needed the bytes of the first one
	 */
	public @Nullable String refusal(long needed) {
		return refusal(needed, bytes());
	}

	static @Nullable String refusal(long needed, @Nullable Long free) {
		return (free != null && free < needed) ? "The disk has " + TableSizes.readable(free)
				+ " free, and the new tables need about " + TableSizes.readable(needed) + ", as the live ones do."
				: null;
	}

}
