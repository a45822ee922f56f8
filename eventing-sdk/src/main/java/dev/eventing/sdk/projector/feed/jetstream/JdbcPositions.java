package dev.eventing.sdk.projector.feed.jetstream;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.Durables.StreamFloor;
import dev.eventing.sdk.relay.RelayProgress;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The floor of a projector in its stream, in {@code projector_positions}. A durable that
 * was lost is created again from there. The saved floor may be lower than the true one,
 * never higher. Statements run in the caller's transaction, if there is one.
 */
public final class JdbcPositions {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcPositions(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.table = schema.table("projector_positions");
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
	 * Saves the position in the event store up to which events are settled. Does nothing
	 * if another server has taken over since the position was read: it may lack the last
	 * commits. Uses the primary key.
	 */
	void saveStorePosition(String stream, RelayProgress.Published reached) {
		this.jdbc.update("""
				update %s set store_position = ?, store_refused = ?
				 where projector_name = ? and stream = ? and pg_postmaster_start_time() = ?""".formatted(this.table),
				reached.position(), reached.refused().toArray(Long[]::new), this.projector, stream,
				reached.serverStarted());
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

		StreamFloor toFloor() {
			return new StreamFloor(this.floor, this.streamCreated);
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
