package dev.eventing.sdk.projection.ledger;

import java.time.ZoneOffset;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

/**
 * Whether a generation has applied an event, as a condition of a statement. The statement
 * has the event's {@code event_id}, {@code tenant_id} and {@code sequence}.
 */
final class EffectConditions {

	private final String letters;

	private final String processed;

	private final String checkpoints;

	private final String positions;

	/** Sends no query. */
	EffectConditions(EventingSchema schema) {
		this.letters = schema.table("dead_letters");
		this.processed = schema.table("processed_events");
		this.checkpoints = schema.table("projector_checkpoints");
		this.positions = schema.table("projector_positions");
	}

	String letters() {
		return this.letters;
	}

	/**
	 * The event is at or before the generation's position, or is claimed, and is neither
	 * an open nor a discarded letter. The position of a projector that reads a stream is
	 * saved every few seconds; its claims are kept for longer than that. The position in
	 * another incarnation of the stream tells nothing. Takes {@link #arguments}.
	 * @param row the name of the row with the event
	 * @param stream where the event was read; null for the event store
	 */
	String applied(String row, @Nullable SourceStream stream) {
		// By the primary keys.
		String position = (stream == null)
				? "select c.position from %s c where c.projector_name = ? order by c.revision desc limit 1"
					.formatted(this.checkpoints)
				: "select p.floor from %s p where p.projector_name = ? and p.stream = ? and p.stream_created = ?"
					.formatted(this.positions);
		return """
				(coalesce(%1$s.sequence <= (%2$s), false)
				 or exists (select from %3$s c where c.projector_name = ? and c.event_id = %1$s.event_id
				               and c.tenant_id = %1$s.tenant_id offset 0))
				and not (%4$s)""".formatted(row, position, this.processed, hasLetter(row));
	}

	/** The arguments of {@link #applied}. */
	Object[] arguments(ProjectorId generation, @Nullable SourceStream stream) {
		String name = generation.inColumn();
		return (stream == null) ? new Object[] { name, name, name, name, EventPlace.EVENT_STORE } : new Object[] { name,
				stream.stream(), stream.created().atOffset(ZoneOffset.UTC), name, name, name, stream.stream() };
	}

	/**
	 * The event is an open or a discarded letter; one whose tenant could not be read is
	 * known by its place. Takes the name of the generation twice, and the stream.
	 */
	String hasLetter(String row) {
		// By dead_letters_event. Few letters have no tenant.
		return """
				exists (select from %2$s d where d.projector_name = ? and d.tenant_id = %1$s.tenant_id
				           and d.event_id = %1$s.event_id and d.status in ('PARKED', 'REDRIVING', 'DISCARDED') offset 0)
				or exists (select from %2$s d where d.projector_name = ? and d.tenant_id = '' and d.stream = ?
				              and d.stream_sequence = %1$s.sequence
				              and d.status in ('PARKED', 'REDRIVING', 'DISCARDED') offset 0)""".formatted(row,
				this.letters);
	}

}
