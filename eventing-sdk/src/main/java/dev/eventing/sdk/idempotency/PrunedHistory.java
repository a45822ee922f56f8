package dev.eventing.sdk.idempotency;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Up to when each projector has forgotten what it applied, in the table
 * {@code projector_prunings}: of events that were stored before that moment there may be
 * no row in {@code processed_events} any more. Thread-safe.
 */
public final class PrunedHistory {

	/** Between looking here and an event's being in the stream. */
	private static final Duration MARGIN = Duration.ofMinutes(1);

	private final JdbcOperations jdbc;

	private final String table;

	/** Asks no database yet. */
	public PrunedHistory(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.table = schema.table("projector_prunings");
	}

	/**
	 * Notes that a projector is about to forget; committed before a row is deleted. Never
	 * goes back, and never beyond the present by the database's clock.
	 * @param stream the stream it reads, or null: the event store
	 * @param before rows older than this are to go
	 * @param retention how long rows are kept at least
	 * @return up to when rows may go
	 */
	public Instant forget(String projector, @Nullable String stream, Instant before, Duration retention) {
		// By the primary key.
		Instant noted = Objects.requireNonNull(this.jdbc.queryForObject("""
				insert into %s as p (projector_name, stream, pruned_before, retention)
				values (?, ?, least(?, clock_timestamp()), ? * interval '1 millisecond')
				on conflict (projector_name) do update
				   set stream = excluded.stream, pruned_before = greatest(p.pruned_before, excluded.pruned_before),
				       retention = excluded.retention, pruned_at = now()
				returning pruned_before""".formatted(this.table),
				(row, number) -> row.getObject(1, OffsetDateTime.class).toInstant(), projector, stream,
				before.atOffset(ZoneOffset.UTC), retention.toMillis()));
		return noted.isBefore(before) ? noted : before;
	}

	/** What a projector has forgotten; empty if nothing. */
	public Optional<Forgotten> of(String projector) {
		// By the primary key.
		List<Forgotten> found = this.jdbc.query(
				"select pruned_before from %s where projector_name = ?".formatted(this.table),
				(row, number) -> new Forgotten(projector, row.getObject(1, OffsetDateTime.class).toInstant()),
				projector);
		return found.stream().findFirst();
	}

	/**
	 * The projector that reads a stream and has forgotten most, as far as matters for
	 * events that are published again at this moment; empty if none forgets. It counts
	 * what may be forgotten until they were applied.
	 */
	public Optional<Forgotten> inStreams() {
		// One row per projector.
		List<Forgotten> found = this.jdbc.query("""
				select projector_name, greatest(pruned_before, clock_timestamp() - retention)
				  from %s
				 where stream is not null
				 order by 2 desc
				 limit 1""".formatted(this.table), (row, number) -> new Forgotten(row.getString(1),
				row.getObject(2, OffsetDateTime.class).toInstant().plus(MARGIN)));
		return found.stream().findFirst();
	}

	/**
	 * What a projector has forgotten.
	 *
	 * @param projector its name
	 * @param before of events that were stored earlier it cannot tell whether it applied
	 * them
	 */
	public record Forgotten(String projector, Instant before) {

		/** Whether an event that was stored at that moment may be among it. */
		public boolean includes(Instant stored) {
			return stored.isBefore(this.before);
		}

	}

}
