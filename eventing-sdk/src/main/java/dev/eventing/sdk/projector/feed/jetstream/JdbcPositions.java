package dev.eventing.sdk.projector.feed.jetstream;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;

import dev.eventing.sdk.nats.Durables.SavedFloor;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Where a projector stands in its stream, in {@code projector_positions}: a durable that
 * was lost starts from there. The floor saved may be behind the true one, never ahead.
 */
public final class JdbcPositions {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcPositions(JdbcOperations jdbc, EventingSchema schema, String projector) {
		this.jdbc = jdbc;
		this.projector = projector;
		this.table = schema.table("projector_positions");
	}

	/** What is saved for the stream, or null. Goes by the primary key. */
	public @Nullable Saved find(String stream) {
		return look(stream).saved();
	}

	/**
	 * What is saved for the stream, and which server says so. In one statement, since
	 * every projector looks again and again. Goes by the primary key.
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
	 * Saves a place, if what is saved is still what the caller knows of. Goes by the
	 * primary key; the row is locked until the caller's transaction ends.
	 * @param known what the caller found or saved last, or null for nothing
	 * @return whether it is saved; if not, somebody else has saved a place meanwhile
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
	 * What a look found.
	 *
	 * @param saved what is saved, or null
	 * @param serverStarted when the server was started that was asked
	 */
	record Look(@Nullable Saved saved, OffsetDateTime serverStarted) {
	}

	/**
	 * What is known of a projector's place in a stream.
	 *
	 * @param floor the sequence up to which everything is settled
	 * @param streamCreated when the stream was made
	 * @param cleanStop whether the last owner stopped in order: then no handler had begun
	 * an event that is unsettled
	 * @param age how long ago it was saved, by the database's clock
	 */
	public record Saved(long floor, Instant streamCreated, boolean cleanStop, Duration age) {

		SavedFloor toFloor() {
			return new SavedFloor(this.floor, this.streamCreated);
		}

		/** Whether it lies further on in the same incarnation of the stream. */
		boolean isAheadOf(Saved other) {
			return this.streamCreated.equals(other.streamCreated) && this.floor > other.floor;
		}

		boolean isSamePlaceAs(Saved other) {
			return this.streamCreated.equals(other.streamCreated) && this.floor == other.floor
					&& this.cleanStop == other.cleanStop;
		}

	}

}
