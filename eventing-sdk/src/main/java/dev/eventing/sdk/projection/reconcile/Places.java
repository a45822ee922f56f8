package dev.eventing.sdk.projection.reconcile;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Where projectors are in the event store, as of the transaction of the caller.
 * Thread-safe.
 */
final class Places {

	private static final String NOT_RELAYED = " to which no relay of this event store has published. Consider source ="
			+ " EVENT_STORE.";

	private final JdbcClient jdbc;

	private final String place;

	private final String relayed;

	/** Sends no query yet. */
	Places(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		// By primary keys. Of two places the later one counts, as in applied_events.
		// Claims
		// are missing if they were pruned when the first event that needs one was
		// recorded.
		this.place = """
				select place.stream, place.position,
				       exists (select from %3$s p where p.projection_name = :projector and p.status = 'FILLING') as filling,
				       exists (select from %4$s c
				                where c.projector_name = :projector and c.stream = coalesce(place.stream, 'event-store')
				                  and (c.catching_up or c.settled_to is not null)) as catching_up,
				       exists (select from %5$s s where s.stream = place.stream) as relayed,
				       place.stream is not null
				       and (select e.recorded_at from %6$s e
				             where e.global_position > place.position order by e.global_position limit 1)
				           < (select r.pruned_before from %7$s r where r.projector_name = :projector) as pruned
				  from ((select null as stream, c.position, c.updated_at
				           from %1$s c where c.projector_name = :projector order by c.revision desc limit 1)
				        union all
				        (select p.stream, p.store_position, p.updated_at
				           from %2$s p where p.projector_name = :projector order by p.updated_at desc limit 1)
				        order by updated_at desc limit 1) place"""
			.formatted(schema.table("projector_checkpoints"), schema.table("projector_positions"),
					schema.table("projections"), schema.table("projector_coverage"), schema.table("relay_streams"),
					schema.table("events"), schema.table("projector_prunings"));
		this.relayed = "select exists (select from %s where stream = ?)".formatted(schema.table("relay_streams"));
	}

	/**
	 * Makes sure that a stream has the events of the event store.
	 * @param generation the generation that is fed from the stream
	 * @throws NoAnswerException if no relay of this database has published to it
	 */
	void requireRelayed(ProjectorId generation, String stream) {
		if (!this.jdbc.sql(this.relayed).param(stream).query(Boolean.class).single()) {
			throw new NoAnswerException("Generation " + generation.generation() + " of projector '" + generation.base()
					+ "' is fed from stream '" + stream + "'," + NOT_RELAYED);
		}
	}

	/**
	 * As for an id.
	 * @param projector the name in a declaration, which no projector need have
	 */
	long position(String projector) {
		return position(ProjectorId.find(projector).orElseThrow(() -> neverRan(projector)));
	}

	/**
	 * Returns the position up to which a projector has settled all events of the event
	 * store.
	 * @param projector the live generation, or another one
	 * @throws NoAnswerException if that is not known, or the read model is not in a state
	 * to be compared
	 */
	long position(ProjectorId projector) {
		Place found = this.jdbc.sql(this.place)
			.param("projector", projector.inColumn())
			.query(Places::place)
			.optional()
			.orElseThrow(() -> neverRan(projector.toString()));
		String problem = found.problem();
		Long position = found.position();
		if (problem != null || position == null) {
			throw problem(projector, found, problem);
		}
		return position;
	}

	private static NoAnswerException neverRan(String projector) {
		return new NoAnswerException(
				"Projector '" + projector + "' has no position in the event store: it has never run.");
	}

	private static NoAnswerException problem(ProjectorId projector, Place found, @Nullable String known) {
		if (known != null) {
			return new NoAnswerException(known.formatted(projector));
		}
		String reads = "Projector '" + projector + "' has no position in the event store: it reads stream '"
				+ found.stream() + "',";
		if (found.relayed()) {
			return NoAnswerException
				.forNow(reads + " and has not settled yet what relays had published some seconds ago, or"
						+ " it began with new events only.");
		}
		return new NoAnswerException(reads + NOT_RELAYED);
	}

	private static Place place(ResultSet row, int number) throws SQLException {
		String problem = row.getBoolean("filling") ? "The read model of projector '%s' is being filled from events."
				: row.getBoolean("catching_up") ? "Projector '%s' reads earlier events of new handlers again." : row
					.getBoolean("pruned")
							? "Of projector '%s' it is not known any more which events it has applied: a relay lags, or"
									+ " has been removed, and rows of processed_events were pruned meanwhile."
							: null;
		return new Place(row.getString("stream"), row.getObject("position", Long.class), row.getBoolean("relayed"),
				problem);
	}

	/**
	 * The known facts of a projector.
	 *
	 * @param stream the stream it reads; null if it reads the event store
	 * @param position its position in the event store; null if that is not known
	 * @param relayed whether a relay of this database publishes to the stream
	 * @param problem why its read model cannot be compared, with a place for its name
	 */
	private record Place(@Nullable String stream, @Nullable Long position, boolean relayed, @Nullable String problem) {
	}

}
