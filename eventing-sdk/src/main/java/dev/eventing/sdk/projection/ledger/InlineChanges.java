package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Tells sessions that append that what they remember of inline projectors has changed.
 * Triggers do so, too, unless somebody has disabled them. Thread-safe.
 */
final class InlineChanges {

	private final JdbcClient jdbc;

	private final String changed;

	/** Sends no query yet. */
	InlineChanges(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.changed = "select \"%s\".inline_changed()".formatted(schema.name());
	}

	/** Call it in the transaction of the change: sessions wait for its end. */
	void note() {
		this.jdbc.sql(this.changed).query((row) -> {
		});
	}

}
