package dev.eventing.sdk.relay;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistory.Forgotten;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The events that a relay published late, after events of higher positions, in
 * {@code relay_late_events}. A stream that loses its end may lose such an event, and the
 * positions at its new end do not show it. Callers that write must hold the lock of
 * {@link JdbcRelayPositions#lock()}.
 */
final class LateEvents {

	/** How long an event is remembered. */
	static final Duration KEPT = Duration.ofDays(1);

	/**
	 * The most events of one statement, which must be short: very many events may have
	 * waited.
	 */
	private static final int PAGE = 10_000;

	private static final String REASON = "Its stream of JetStream has lost it.";

	private final JdbcTemplate jdbc;

	private final PrunedHistory history;

	private final String relay;

	private final String table;

	private final String refusals;

	LateEvents(JdbcTemplate jdbc, EventingSchema schema, String relay) {
		this.jdbc = jdbc;
		this.history = new PrunedHistory(jdbc, schema);
		this.relay = relay;
		this.table = schema.table("relay_late_events");
		this.refusals = schema.table("relay_refusals");
	}

	/** Records what was published. By the primary key. */
	void add(Collection<Late> events) {
		List<Object[]> rows = events.stream().map((late) -> {
			Slot slot = late.slot();
			StreamKey key = slot.key();
			return new Object[] { this.relay, slot.position(), key.tenantId(), key.streamId(), slot.event().id(),
					late.confirmation().stream(), late.created().atOffset(ZoneOffset.UTC),
					late.confirmation().sequence() };
		}).toList();
		this.jdbc.batchUpdate("""
				insert into %s (relay_name, global_position, tenant_id, stream_id, event_id, stream, stream_created,
				                sequence)
				values (?, ?, ?, ?, ?, ?, ?, ?)
				on conflict (relay_name, global_position) do update
				   set stream = excluded.stream, stream_created = excluded.stream_created,
				       sequence = excluded.sequence, published_at = excluded.published_at""".formatted(this.table),
				rows);
	}

	/**
	 * Forgets the oldest events that need not be remembered any more. Needs no lock: any
	 * node may do it.
	 */
	void removeOld() {
		// By relay_late_events_old, and by the primary key.
		this.jdbc.update("""
				delete from %1$s where relay_name = ? and global_position = any(array(
				     select global_position from %1$s
				      where relay_name = ? and published_at < now() - ? * interval '1 second'
				      order by published_at limit ?))""".formatted(this.table), this.relay, this.relay,
				KEPT.toSeconds(), PAGE);
	}

	/**
	 * Consumers may have forgotten events that were published before this time, and would
	 * apply them twice.
	 */
	Instant forgottenBefore() {
		return this.history.inStreams().map(Forgotten::before).orElse(Instant.EPOCH);
	}

	/**
	 * Marks some of the events that a stream has lost to be published again, but not
	 * those that consumers may have forgotten. By relay_late_events_lost, and by the
	 * primary key.
	 * @return the number of events; 0 if none is left
	 */
	int publishAgain(LostEnd end) {
		return Objects.requireNonNull(this.jdbc.queryForObject("""
				with lost as (
				  delete from %1$s where relay_name = ? and global_position = any(array(
				       select global_position from %1$s
				        where relay_name = ? and stream = ? and (sequence > ? or stream_created <> ?)
				          and published_at >= ? limit ?))
				  returning relay_name, global_position, tenant_id, stream_id, event_id),
				     again as (
				  insert into %2$s (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
				  select relay_name, global_position, tenant_id, stream_id, event_id, 'RETRY', ? from lost
				  on conflict (relay_name, global_position) do nothing)
				select count(*) from lost""".formatted(this.table, this.refusals), Integer.class, this.relay,
				this.relay, end.stream(), end.kept(), end.created().atOffset(ZoneOffset.UTC),
				end.knownSince().atOffset(ZoneOffset.UTC), PAGE, REASON));
	}

	/**
	 * The lowest position and the number of the events that a stream has lost and that
	 * consumers may have forgotten. By relay_late_events_lost.
	 */
	Unpublished forgotten(LostEnd end) {
		return Objects.requireNonNull(this.jdbc.queryForObject(
				"""
						select coalesce(min(global_position), 0), count(*) from %s
						 where relay_name = ? and stream = ? and (sequence > ? or stream_created <> ?) and published_at < ?"""
					.formatted(this.table),
				(row, number) -> new Unpublished(row.getLong(1), row.getLong(2)), this.relay, end.stream(), end.kept(),
				end.created().atOffset(ZoneOffset.UTC), end.knownSince().atOffset(ZoneOffset.UTC)));
	}

	/**
	 * An event that was published late.
	 *
	 * @param slot the event
	 * @param confirmation where JetStream has it
	 * @param created when that stream was created
	 */
	record Late(Slot slot, Published confirmation, Instant created) {
	}

	/**
	 * A stream that has lost its end.
	 *
	 * @param stream its name
	 * @param created when it was created
	 * @param kept the last sequence that it has kept
	 * @param knownSince consumers know events that were published since then
	 */
	record LostEnd(String stream, Instant created, long kept, Instant knownSince) {
	}

	/**
	 * Events that are not published again.
	 *
	 * @param first the lowest of their positions
	 * @param count their number
	 */
	record Unpublished(long first, long count) {
	}

}
