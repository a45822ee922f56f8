package dev.eventing.sdk.projector.transaction;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Attempts of events that failed or may have, in {@code projector_attempts}. Every
 * statement goes by the primary key. Works in the caller's transaction, if there is one.
 * A row without a time of the next attempt was begun, and that did not end.
 */
public final class JdbcAttempts {

	/** Those of the stream and of the database, at most. */
	private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcAttempts(JdbcOperations jdbc, EventingSchema schema, String projector) {
		this.jdbc = jdbc;
		this.projector = projector;
		this.table = schema.table("projector_attempts");
	}

	/** Counts one more attempt of an event. */
	public Attempt count(EventKey event, @Nullable String key, @Nullable String errorClass,
			@Nullable String errorMessage) {
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

	/**
	 * Marks events that are about to be begun, without counting an attempt. Does not wait
	 * for the disk: were the mark lost with the database, its loss would cost a further
	 * death of the process at most.
	 */
	public void mark(Map<EventKey, Work> events) {
		this.jdbc.update("""
				insert into %s (projector_name, tenant_id, event_id, ordering_key, attempts,
				       first_attempt_at, last_attempt_at)
				select ?, e.tenant_id, e.event_id, e.ordering_key, 0, now(), now()
				  from set_config('synchronous_commit', 'off', true),
				       unnest(?::text[], ?::uuid[], ?::text[]) as e (tenant_id, event_id, ordering_key)
				 order by e.event_id, e.tenant_id
				on conflict (projector_name, event_id, tenant_id) do update set next_attempt_at = null
				""".formatted(this.table), (statement) -> {
			Connection connection = statement.getConnection();
			statement.setString(1, this.projector);
			statement.setArray(2, tenants(connection, events.keySet()));
			statement.setArray(3, ids(connection, events.keySet()));
			statement.setArray(4, connection.createArrayOf("text",
					events.values().stream().map((work) -> work.event().orderingKey()).toArray(String[]::new)));
		});
	}

	private static Array tenants(Connection connection, Collection<EventKey> events) throws SQLException {
		return connection.createArrayOf("text",
				events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new));
	}

	private static Array ids(Connection connection, Collection<EventKey> events) throws SQLException {
		return connection.createArrayOf("uuid", events.stream().map(EventKey::eventId).toArray(UUID[]::new));
	}

	/**
	 * Those of the events that have a row, and whether an attempt of it, or a group it
	 * was marked with, never came to an end.
	 */
	public Map<EventKey, Boolean> begun(Collection<EventKey> events) {
		Map<EventKey, Boolean> begun = new HashMap<>();
		this.jdbc.query("""
				select a.tenant_id, a.event_id, a.next_attempt_at is null
				  from unnest(?::text[], ?::uuid[]) as e (tenant_id, event_id)
				  join %s a on a.projector_name = ? and a.event_id = e.event_id and a.tenant_id = e.tenant_id
				""".formatted(this.table), (statement) -> {
			statement.setArray(1, tenants(statement.getConnection(), events));
			statement.setArray(2, ids(statement.getConnection(), events));
			statement.setString(3, this.projector);
		}, (row) -> {
			begun.put(new EventKey(TenantId.of(row.getString(1)), row.getObject(2, UUID.class)), row.getBoolean(3));
		});
		return begun;
	}

	/**
	 * Takes an attempt back that was counted ahead and did not fail. Needs no right to
	 * the projector: whoever owns it by now counts attempts of its own.
	 */
	public void takeBack(EventKey event) {
		this.jdbc.update("""
				update %s set attempts = attempts - 1
				 where projector_name = ? and event_id = ? and tenant_id = ? and attempts > 0
				""".formatted(this.table), this.projector, event.eventId(), event.tenantId().value());
	}

	/** Says why the attempt that was counted ahead failed. */
	public Attempt explain(EventKey event, String errorClass, @Nullable String errorMessage) {
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
	public void schedule(EventKey event, Duration delay) {
		this.jdbc.update("""
				update %s set next_attempt_at = now() + ? * interval '1 millisecond'
				 where projector_name = ? and event_id = ? and tenant_id = ?""".formatted(this.table), delay.toMillis(),
				this.projector, event.eventId(), event.tenantId().value());
	}

	/** The event is done with. */
	public void forget(Collection<EventKey> events) {
		this.jdbc.batchUpdate(
				"delete from %s where projector_name = ? and event_id = ? and tenant_id = ?".formatted(this.table),
				events, events.size(), (statement, event) -> {
					statement.setString(1, this.projector);
					statement.setObject(2, event.eventId());
					statement.setString(3, event.tenantId().value());
				});
	}

	/**
	 * Forgets attempts of events that can come no more, such as those that the stream has
	 * dropped or that were skipped since: an event that is not settled was stored, and so
	 * tried, no earlier than the first that may still come.
	 * @param first when that one was stored
	 */
	public void forgetBefore(Instant first) {
		// A range of the primary key: the rows of the projector.
		this.jdbc.update("delete from %s where projector_name = ? and last_attempt_at < ?".formatted(this.table),
				this.projector, first.minus(CLOCKS_DIFFER).atOffset(ZoneOffset.UTC));
	}

	/**
	 * All events of the projector that wait for another attempt, with what is left until
	 * it is due.
	 */
	public Map<EventKey, Duration> waiting() {
		Map<EventKey, Duration> waiting = new HashMap<>();
		this.jdbc.query("""
				select tenant_id, event_id,
				       coalesce(ceil(extract(epoch from next_attempt_at - now()) * 1000), 0)::bigint
				  from %s where projector_name = ?""".formatted(this.table), (row) -> {
			EventKey event = new EventKey(TenantId.of(row.getString(1)), row.getObject(2, UUID.class));
			waiting.put(event, Duration.ofMillis(row.getLong(3)));
		}, this.projector);
		return waiting;
	}

	/**
	 * An attempt that was counted.
	 *
	 * @param number the how-manieth it is, from 1
	 * @param firstAt when the first was
	 */
	public record Attempt(int number, Instant firstAt) {
	}

}
