package dev.eventing.sdk.projection.reconcile;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Whether a generation that is fed from a stream has settled the same events as the live
 * one, as of the transaction of the caller. Thread-safe.
 */
final class StreamedGeneration {

	private final JdbcClient jdbc;

	private final String same;

	/** Sends no query yet. */
	StreamedGeneration(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		// By primary keys. The saved floor is beyond the sequences of all events up to
		// the position: it is saved first. So they are settled in both; later events, and
		// those that a relay could not publish, must be claimed by none. There are few of
		// them. The look-up of each is no join; see ProcessedEvents.
		this.same = """
				select coalesce((select p.floor <= :sequence from %1$s p
				                  where p.projector_name = :live and p.stream = :stream), false)
				   and not exists (
				       select from %2$s e
				        where (e.global_position > :position
				               or e.global_position = any (coalesce((select p.store_refused from %1$s p
				                     where p.projector_name = :live and p.stream = :stream), '{}')))
				          and ((select true from %3$s c
				                 where c.projector_name = :live and c.event_id = e.event_id
				                   and c.tenant_id = e.tenant_id)
				               or (select true from %4$s c
				                    where c.projection_name = :live and c.generation = :generation
				                      and c.event_id = e.event_id and c.tenant_id = e.tenant_id)))""".formatted(
				schema.table("projector_positions"), schema.table("events"), schema.table("processed_events"),
				schema.table("projection_claims"));
	}

	/**
	 * Whether it has settled the same events.
	 * @param generation the generation beside the live one
	 * @param stream the stream that both are fed from
	 * @param sequence the sequence up to which the generation has settled the stream
	 * @param position the position up to which the live one has settled the event store
	 */
	boolean hasSettledTheSame(ProjectorId generation, String stream, long sequence, long position) {
		return this.jdbc.sql(this.same)
			.param("sequence", sequence)
			.param("live", generation.base())
			.param("stream", stream)
			.param("position", position)
			.param("generation", generation.generation())
			.query(Boolean.class)
			.single();
	}

}
