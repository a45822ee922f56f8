package dev.eventing.sdk.projector;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Attempts of events that failed or may have, in {@code projector_attempts}. Every
 * statement goes by the primary key. Works in the caller's transaction.
 */
final class JdbcAttempts {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	JdbcAttempts(JdbcOperations jdbc, EventingSchema schema, String projector) {
		this.jdbc = jdbc;
		this.projector = projector;
		this.table = schema.table("projector_attempts");
	}

	/** Counts one more attempt of an event. */
	Attempt count(EventKey event, @Nullable String key, @Nullable String errorClass, @Nullable String errorMessage) {
		return one("""
				insert into %s as a (projector_name, tenant_id, event_id, ordering_key, attempts,
				       first_attempt_at, last_attempt_at, error_class, error_message)
				values (?, ?, ?, ?, 1, now(), now(), ?, ?)
				on conflict (projector_name, event_id, tenant_id) do update
				   set attempts = a.attempts + 1, last_attempt_at = now(), next_attempt_at = null,
				       error_class = excluded.error_class, error_message = excluded.error_message
				returning attempts, first_attempt_at""".formatted(this.table), this.projector, event.tenantId().value(),
				event.eventId(), key, errorClass, errorMessage);
	}

	/** Says why the attempt that was counted ahead failed. */
	Attempt explain(EventKey event, String errorClass, @Nullable String errorMessage) {
		return one("""
				update %s set error_class = ?, error_message = ?
				 where projector_name = ? and event_id = ? and tenant_id = ?
				returning attempts, first_attempt_at""".formatted(this.table), errorClass, errorMessage, this.projector,
				event.eventId(), event.tenantId().value());
	}

	private Attempt one(String sql, @Nullable Object... arguments) {
		Attempt attempt = this.jdbc.queryForObject(sql,
				(row, number) -> new Attempt(row.getInt(1), row.getObject(2, OffsetDateTime.class).toInstant()),
				arguments);
		return Objects.requireNonNull(attempt, "returning gives a row");
	}

	/** Says when the event is tried next, by the database's clock. */
	void schedule(EventKey event, Duration delay) {
		this.jdbc.update("""
				update %s set next_attempt_at = now() + ? * interval '1 millisecond'
				 where projector_name = ? and event_id = ? and tenant_id = ?""".formatted(this.table), delay.toMillis(),
				this.projector, event.eventId(), event.tenantId().value());
	}

	/** The event is done with. */
	void forget(Collection<EventKey> events) {
		this.jdbc.batchUpdate(
				"delete from %s where projector_name = ? and event_id = ? and tenant_id = ?".formatted(this.table),
				events, events.size(), (statement, event) -> {
					statement.setString(1, this.projector);
					statement.setObject(2, event.eventId());
					statement.setString(3, event.tenantId().value());
				});
	}

	/**
	 * All events of the projector that wait for another attempt, with the time it is due.
	 */
	Map<EventKey, Instant> waiting() {
		Map<EventKey, Instant> waiting = new HashMap<>();
		this.jdbc.query(
				"select tenant_id, event_id, next_attempt_at from %s where projector_name = ?".formatted(this.table),
				(row) -> {
					EventKey event = new EventKey(TenantId.of(row.getString(1)), row.getObject(2, UUID.class));
					Timestamp due = row.getTimestamp(3);
					waiting.put(event, (due != null) ? due.toInstant() : Instant.MIN);
				}, this.projector);
		return waiting;
	}

	/**
	 * An attempt that was counted.
	 *
	 * @param number the how-manieth it is, from 1
	 * @param firstAt when the first was
	 */
	record Attempt(int number, Instant firstAt) {
	}

}
