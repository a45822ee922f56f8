package dev.eventing.sdk.schema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A lock until the end of the caller's transaction, between erasures and what reads
 * events to apply them in spite of their claims: claims do not keep an erasure and that
 * apart. Who shares it sees an erasure as a whole or not at all. Thread-safe.
 */
public final class ErasureLock {

	private static final String KEY = "hashtextextended('%s.erasures', 0)";

	private final String exclusive;

	private final String shared;

	private final String last;

	/** Sends no query yet. */
	public ErasureLock(EventingSchema schema) {
		String key = KEY.formatted(schema.name());
		this.exclusive = "select pg_advisory_xact_lock(" + key + ")";
		this.shared = "select pg_advisory_xact_lock_shared(" + key + ")";
		this.last = "select coalesce(max(erasure_id), 0) from " + schema.table("erasures");
	}

	/** For an erasure. Waits for those that share it, and for other erasures. */
	public void take(JdbcClient jdbc) {
		jdbc.sql(this.exclusive).query((row) -> {
		});
	}

	/**
	 * Before events are read. Waits for an erasure.
	 * @return the number of the last erasure, or 0: whoever has it later, too, has met
	 * none since
	 */
	public long share(JdbcOperations jdbc) {
		jdbc.query(this.shared, (row) -> {
		});
		// By the primary key. A statement of its own sees the erasure it has waited for.
		Long number = jdbc.queryForObject(this.last, Long.class);
		return (number != null) ? number : 0;
	}

}
