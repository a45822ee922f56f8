package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Shows which single events of the event store a projector has applied or made dead
 * letters. Thread-safe.
 */
final class SettledEvents {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String settled;

	SettledEvents(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		// Reads the event by its primary key, then one row by each unique index. A closed
		// letter does not count: its event is processed, or will be applied again. The
		// look-ups are no joins; see ProcessedEvents.
		this.settled = """
				select (select (select true from %2$s p
				                 where p.projector_name = ? and p.event_id = e.event_id and p.tenant_id = e.tenant_id)
				            or %3$s
				          from %1$s e where e.global_position = ?)
				""".formatted(schema.table("events"), schema.table("processed_events"),
				new OpenLetters(schema).isHeld("?", "e.tenant_id", "e.event_id"));
	}

	/** Whether the event at the position was applied, or has an open dead letter. */
	boolean has(long position) {
		return Boolean.TRUE
			.equals(this.jdbc.queryForObject(this.settled, Boolean.class, this.projector, this.projector, position));
	}

}
