package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.Optional;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A generation's time as a standby, in {@code projections}: whether it can become live
 * again, and when the time is over. Runs in the caller's transaction. Thread-safe.
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

	/** The number of the standby, if there is one. By {@code projections_beside}. */
	public Optional<Integer> find() {
		return this.client
			.sql("select generation from %s where projection_name = ? and status = 'STANDBY'"
				.formatted(this.projections))
			.param(this.projector)
			.query(Integer.class)
			.optional();
	}

	/**
	 * Records why the standby cannot become live again as things are.
	 * @param why null if nothing stands in the way
	 * @return false if that is recorded already, or it is no standby any more
	 */
	public boolean noRollback(int generation, @Nullable String why) {
		// By the primary key.
		return this.client.sql("""
				update %s set no_rollback = cast(:why as text)
				 where projection_name = :projector and generation = :generation and status = 'STANDBY'
				   and no_rollback is distinct from cast(:why as text)""".formatted(this.projections))
			.param("why", StorableText.ofNullable(why))
			.param("projector", this.projector)
			.param("generation", generation)
			.update() > 0;
	}

	/**
	 * Why the standby cannot become live again, as the nodes found at their last look.
	 * Empty if nothing is known to stand in the way. By the primary key.
	 */
	Optional<String> whyNoRollback(int generation) {
		return this.client
			.sql("""
					select no_rollback from %s
					 where projection_name = ? and generation = ? and status = 'STANDBY' and no_rollback is not null"""
				.formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.query(String.class)
			.optional();
	}

}
