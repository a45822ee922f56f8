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

	/** Sends no query yet. */
	public ErasureLock(EventingSchema schema) {
		String key = KEY.formatted(schema.name());
		this.exclusive = "select pg_advisory_xact_lock(" + key + ")";
		this.shared = "select pg_advisory_xact_lock_shared(" + key + ")";
	}

	/** For an erasure. Waits for those that share it, and for other erasures. */
	public void take(JdbcClient jdbc) {
		jdbc.sql(this.exclusive).query((row) -> {
		});
	}

	/** Before events are read. Waits for an erasure. */
	public void share(JdbcOperations jdbc) {
		jdbc.query(this.shared, (row) -> {
		});
	}

}
