package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Keeps two generations of a read model from reading the event store beyond one position,
 * so that they can be compared, in the row of the one beside the live one in
 * {@code projections}. A hold ends at its time, by the database's clock, also without the
 * node that asked for it. Each statement finds its row by the primary key. Thread-safe.
 */
public final class ComparisonHold {

	private final JdbcClient jdbc;

	private final String projections;

	/**
	 * Sends no query yet.
	 * @param jdbc runs each statement in a separate transaction
	 */
	public ComparisonHold(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.projections = schema.table("projections");
	}

	/**
	 * Begins a hold.
	 * @param generation the generation beside the live one
	 * @param position how far both may read; one that is further stays where it is
	 * @return when it ends; empty if there is one already, or no such generation
	 */
	public Optional<OffsetDateTime> begin(String projector, int generation, long position, Duration time) {
		return this.jdbc.sql("""
				update %s set hold_at = :position,
				       hold_until = clock_timestamp() + :millis * interval '1 millisecond'
				 where projection_name = :projector and generation = :generation and status in ('READY', 'STANDBY')
				   and (hold_until is null or hold_until <= clock_timestamp())
				returning hold_until""".formatted(this.projections))
			.param("position", position)
			.param("millis", time.toMillis())
			.param("projector", projector)
			.param("generation", generation)
			.query(OffsetDateTime.class)
			.optional();
	}

	/**
	 * Lets both read up to a position that one of them has reached, if there is a hold.
	 */
	public void raise(String projector, int generation, long position) {
		this.jdbc.sql("""
				update %s set hold_at = :position
				 where projection_name = :projector and generation = :generation
				   and hold_until > clock_timestamp() and hold_at < :position""".formatted(this.projections))
			.param("position", position)
			.param("projector", projector)
			.param("generation", generation)
			.update();
	}

	/**
	 * Ends a hold, unless it has ended and another one has begun.
	 * @param until what {@link #begin} returned
	 */
	public void end(String projector, int generation, OffsetDateTime until) {
		this.jdbc
			.sql("""
					update %s set hold_at = null, hold_until = null
					 where projection_name = :projector and generation = :generation and hold_until = :until"""
				.formatted(this.projections))
			.param("projector", projector)
			.param("generation", generation)
			.param("until", until)
			.update();
	}

}
