package dev.eventing.sdk.idempotency;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The time up to which the history of each projector is pruned, in the table
 * {@code projector_prunings}. Events that were stored before that time may have no row in
 * {@code processed_events} any more. Thread-safe.
 */
public final class PrunedHistory {

	/**
	 * The time that may pass between this check and the moment the stream stores the
	 * event.
	 */
	private static final Duration MARGIN = Duration.ofMinutes(1);

	private final JdbcOperations jdbc;

	private final String table;

	/** Does not access the database yet. */
	public PrunedHistory(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.table = schema.table("projector_prunings");
	}

	/**
	 * Records that a projector's rows are about to be pruned. Must be committed before a
	 * row is deleted. The recorded time never decreases and is never later than the
	 * database's clock.
	 * @param stream the stream that the projector reads, or null for the event store
	 * @param before rows older than this are to be pruned
	 * @param retention the minimum time for which rows are kept
	 * @return the time before which rows may be deleted
	 */
	public Instant forget(ProjectorId projector, @Nullable String stream, Instant before, Duration retention) {
		// By the primary key.
		Instant noted = Objects.requireNonNull(this.jdbc.queryForObject("""
				insert into %s as p (projector_name, stream, pruned_before, retention)
				values (?, ?, least(?, clock_timestamp()), ? * interval '1 millisecond')
				on conflict (projector_name) do update
				   set stream = excluded.stream, pruned_before = greatest(p.pruned_before, excluded.pruned_before),
				       retention = excluded.retention, pruned_at = now()
				returning pruned_before""".formatted(this.table),
				(row, number) -> row.getObject(1, OffsetDateTime.class).toInstant(), projector.inColumn(), stream,
				before.atOffset(ZoneOffset.UTC), retention.toMillis()));
		return noted.isBefore(before) ? noted : before;
	}

	/** The pruned history of a projector; empty if nothing is pruned. */
	public Optional<Forgotten> of(ProjectorId projector) {
		// By the primary key.
		List<Forgotten> found = this.jdbc.query(
				"select pruned_before from %s where projector_name = ?".formatted(this.table),
				(row, number) -> new Forgotten(projector, row.getObject(1, OffsetDateTime.class).toInstant()),
				projector.inColumn());
		return found.stream().findFirst();
	}

	/**
	 * The pruned history that matters for events which are published again now: that of
	 * the projector that reads a stream and is pruned furthest. It includes what may be
	 * pruned before those events are applied. Empty if no projector prunes.
	 */
	public Optional<Forgotten> inStreams() {
		// One row per projector.
		List<Forgotten> found = this.jdbc.query("""
				select projector_name, greatest(pruned_before, clock_timestamp() - retention)
				  from %s
				 where stream is not null
				 order by 2 desc
				 limit 1""".formatted(this.table), (row, number) -> new Forgotten(ProjectorId.parse(row.getString(1)),
				row.getObject(2, OffsetDateTime.class).toInstant().plus(MARGIN)));
		return found.stream().findFirst();
	}

	/**
	 * The pruned history of a projector.
	 *
	 * @param projector the projector
	 * @param before the projector cannot know whether it applied events that were stored
	 * before this time
	 */
	public record Forgotten(ProjectorId projector, Instant before) {

		/** Whether an event that was stored at this time may be in the pruned history. */
		public boolean includes(Instant stored) {
			return stored.isBefore(this.before);
		}

	}

}
