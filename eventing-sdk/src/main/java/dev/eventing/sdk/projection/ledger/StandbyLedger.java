package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.Optional;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The end of a generation's time as a standby, in {@code projections}. Runs in the
 * caller's transaction. Thread-safe.
 */
public final class StandbyLedger {

	private final JdbcClient client;

	private final String projector;

	private final String projections;

	private final String requests;

	/** Sends no query yet. */
	public StandbyLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.client = JdbcClient.create(jdbc);
		this.projector = projector.base();
		this.projections = schema.table("projections");
		this.requests = schema.table("projection_requests");
	}

	/**
	 * Records that the generation that was live is not fed any more, if the switch was
	 * longer ago than this, by the clock of the database, and no request waits.
	 * @return its number, if it was a standby until now
	 */
	public Optional<Integer> stale(Duration limit, String why) {
		// By projections_beside, projections_current and projection_requests_open.
		return this.client.sql("""
				update %1$s p set status = 'STALE', failure = :why
				 where p.projection_name = :projector and p.status = 'STANDBY'
				   and exists (select from %1$s l
				                where l.projection_name = :projector and l.status = 'LIVE'
				                  and l.live_at < clock_timestamp() - :limit * interval '1 millisecond')
				   and not exists (select from %2$s r
				                    where r.projection_name = :projector and r.status = 'PENDING'
				                      and r.expires_at > clock_timestamp())
				returning p.generation""".formatted(this.projections, this.requests))
			.param("why", StorableText.of(why))
			.param("projector", this.projector)
			.param("limit", limit.toMillis())
			.query(Integer.class)
			.optional();
	}

}
