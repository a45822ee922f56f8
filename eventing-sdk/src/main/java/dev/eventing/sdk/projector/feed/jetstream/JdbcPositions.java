package dev.eventing.sdk.projector.feed.jetstream;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.Durables.SavedFloor;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The floor of a projector in its stream, in {@code projector_positions}. A durable that
 * was lost begins there. The saved floor may be lower than the true one, never higher.
 * Statements run in the caller's transaction, if there is one.
 */
public final class JdbcPositions {

	private final JdbcOperations jdbc;

	private final String projector;

	/**
	 * Of more events than this that a relay could not publish, the position is before.
	 */
	private static final int MOST_REFUSED = 1000;

	private final String table;

	private final String relayed;

	public JdbcPositions(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.table = schema.table("projector_positions");
		// By primary keys: the first refusals of each relay, which may have millions. A
		// relay moves its position and adds refusals in one transaction.
		this.relayed = """
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
				            order by f.global_position limit %5$d + 1) first
				     order by first.global_position limit %5$d + 1)
				select coalesce((select global_position - 1 from refused order by global_position offset %5$d), position),
				       array(select global_position from refused order by global_position limit %5$d),
				       pg_postmaster_start_time()
				  from lowest where position is not null"""
			.formatted(schema.table("relay_positions"), schema.table("relays"), schema.table("relay_streams"),
					schema.table("relay_refusals"), MOST_REFUSED);
	}

	/** Returns what is saved for the stream, or null. Uses the primary key. */
	public @Nullable Saved find(String stream) {
		return look(stream).saved();
	}

	/**
	 * Returns what is saved for the stream, and when the server was started. One
	 * statement, because every projector runs it often. Uses the primary key.
	 */
	Look look(String stream) {
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				select s.started, p.floor, p.stream_created, p.clean_stop,
				       (extract(epoch from clock_timestamp() - p.updated_at) * 1000)::bigint
				  from (select pg_postmaster_start_time() as started) as s
				  left join %s as p on p.projector_name = ? and p.stream = ?""".formatted(this.table),
				JdbcPositions::look, this.projector, stream));
	}

	private static Look look(ResultSet row, int number) throws SQLException {
		OffsetDateTime created = row.getObject(3, OffsetDateTime.class);
		Saved saved = (created != null)
				? new Saved(row.getLong(2), created.toInstant(), row.getBoolean(4), Duration.ofMillis(row.getLong(5)))
				: null;
		return new Look(saved, row.getObject(1, OffsetDateTime.class));
	}

	/**
	 * Saves a place, if the saved floor is still the one that the caller knows. Uses the
	 * primary key. The row is locked until the transaction ends.
	 * @param known what the caller found or saved last, or null for nothing
	 * @return false if another node has saved a place meanwhile
	 */
	boolean save(String stream, Saved place, @Nullable Saved known) {
		return 0 < this.jdbc.update("""
				insert into %s as p (projector_name, stream, stream_created, floor, clean_stop, updated_at)
				values (?, ?, ?, ?, ?, now())
				on conflict (projector_name, stream) do update
				   set stream_created = excluded.stream_created, floor = excluded.floor,
				       clean_stop = excluded.clean_stop, updated_at = excluded.updated_at
				 where p.floor = ?""".formatted(this.table), this.projector, stream,
				place.streamCreated().atOffset(ZoneOffset.UTC), place.floor(), place.cleanStop(),
				(known != null) ? known.floor() : null);
	}

	/**
	 * Returns up to where all relays have published the events of the event store in this
	 * database; null if none of them has published to the stream.
	 */
	@Nullable Relayed relayed(String stream) {
		return this.jdbc
			.query(this.relayed,
					(row, number) -> new Relayed(row.getLong(1), List.of((Long[]) row.getArray(2).getArray()),
							row.getObject(3, OffsetDateTime.class)),
					stream)
			.stream()
			.findFirst()
			.orElse(null);
	}

	/**
	 * Saves the position in the event store up to which events are settled. Does nothing
	 * if another server has taken over since the position was read: it may lack the last
	 * commits. Uses the primary key.
	 */
	void saveStorePosition(String stream, Relayed reached) {
		this.jdbc.update("""
				update %s set store_position = ?, store_refused = ?
				 where projector_name = ? and stream = ? and pg_postmaster_start_time() = ?""".formatted(this.table),
				reached.position(), reached.refused().toArray(Long[]::new), this.projector, stream,
				reached.serverStarted());
	}

	/**
	 * What relays have published.
	 *
	 * @param position all events up to here are published, but those refused
	 * @param refused the positions of those that a relay could not publish
	 * @param serverStarted when the database server was started
	 */
	record Relayed(long position, List<Long> refused, OffsetDateTime serverStarted) {
	}

	/**
	 * The result of a look.
	 *
	 * @param saved what is saved, or null
	 * @param serverStarted when the database server was started
	 */
	record Look(@Nullable Saved saved, OffsetDateTime serverStarted) {
	}

	/**
	 * The saved place of a projector in a stream.
	 *
	 * @param floor the sequence up to which all deliveries are settled
	 * @param streamCreated when the stream was created
	 * @param cleanStop whether the last owner stopped cleanly: no handler had begun an
	 * unsettled event
	 * @param age the time since it was saved, by the database's clock
	 */
	public record Saved(long floor, Instant streamCreated, boolean cleanStop, Duration age) {

		SavedFloor toFloor() {
			return new SavedFloor(this.floor, this.streamCreated);
		}

		/** Whether its floor is higher, in the same incarnation of the stream. */
		boolean isAheadOf(Saved other) {
			return this.streamCreated.equals(other.streamCreated) && this.floor > other.floor;
		}

		boolean isSamePlaceAs(Saved other) {
			return this.streamCreated.equals(other.streamCreated) && this.floor == other.floor
					&& this.cleanStop == other.cleanStop;
		}

	}

}
