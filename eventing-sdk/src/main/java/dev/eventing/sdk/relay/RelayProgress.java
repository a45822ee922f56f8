package dev.eventing.sdk.relay;

import java.time.OffsetDateTime;
import java.util.List;

import dev.eventing.sdk.jdbc.ReplacedRows;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * How far the relays of this database have published its event store, for parts that read
 * the streams. Every statement runs in the caller's transaction, or alone. Thread-safe.
 */
public final class RelayProgress {

	/**
	 * If relays could not publish more events than this, the position ends before the
	 * next of these.
	 */
	private static final int MOST_REFUSED = 1000;

	private final JdbcOperations jdbc;

	private final String published;

	private final String past;

	/** Sends no query yet. */
	public RelayProgress(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		// By primary keys: the first refusals of each relay, which may have millions. A
		// relay moves its position and adds refusals in one transaction.
		this.published = """
				with lowest as (
				    select min(coalesce((select p.position from %1$s p where p.relay_name = r.relay_name
				                          order by p.revision desc limit 1), 0)) as position
				      from %2$s r
				     where exists (select from %3$s s where s.stream = ?)),
				refused as (
				    select distinct first.global_position
				      from lowest cross join %2$s r cross join lateral (
				           select f.global_position from %4$s f
				            where f.relay_name = r.relay_name and f.global_position <= lowest.position
				            order by f.global_position limit %5$s + 1) first
				     order by first.global_position limit %5$s + 1)
				select coalesce((select global_position - 1 from refused order by global_position offset %5$s), position),
				       array(select global_position from refused order by global_position limit %5$s),
				       pg_postmaster_start_time()
				  from lowest where position is not null"""
			.formatted(schema.table("relay_positions"), schema.table("relays"), schema.table("relay_streams"),
					schema.table("relay_refusals"), MOST_REFUSED);
		// By the end of the primary key of each relay; there are few relays.
		this.past = """
				select coalesce(bool_and(coalesce((select position from %s p where p.relay_name = r.relay_name
				                                    order by revision desc limit 1), 0) >= ?), false)
				  from %s r""".formatted(schema.table("relay_positions"), schema.table("relays"));
	}

	/**
	 * Returns up to where all relays have published the events of the event store; null
	 * if none of them has published to the stream.
	 * @param stream the name of a stream of JetStream
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public @Nullable Published published(String stream) {
		return this.jdbc
			.query(this.published,
					(row, number) -> new Published(row.getLong(1), List.of((Long[]) row.getArray(2).getArray()),
							row.getObject(3, OffsetDateTime.class)),
					stream)
			.stream()
			.findFirst()
			.orElse(null);
	}

	/**
	 * Whether all relays have published or recorded everything up to a position of the
	 * event store; false if there are no relays.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public boolean areAllPast(long position) {
		return ReplacedRows.query(this.jdbc, this.past, (row, number) -> row.getBoolean(1), position).get(0);
	}

	/**
	 * What relays have published.
	 *
	 * @param position all events up to here are published, but those refused
	 * @param refused the positions of those that a relay could not publish
	 * @param serverStarted when the database server was started
	 */
	public record Published(long position, List<Long> refused, OffsetDateTime serverStarted) {

		public Published {
			refused = List.copyOf(refused);
		}

	}

}
