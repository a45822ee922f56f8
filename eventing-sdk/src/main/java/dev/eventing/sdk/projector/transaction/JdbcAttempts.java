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

import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.jdbc.IndexedQuery;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Attempts of events that failed or may have failed, in {@code projector_attempts}. Every
 * statement uses the primary key. Statements run in the caller's transaction, if there is
 * one. A row without a next-attempt time belongs to an attempt, or a marked group, that
 * began and did not end.
 */
public final class JdbcAttempts {

	/**
	 * The largest difference that is expected between the clocks of the stream and the
	 * database.
	 */
	private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	private final IndexedQuery begun;

	public JdbcAttempts(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.table = schema.table("projector_attempts");
		// One lookup per event by the primary key: with "offset 0" it is not joined in
		// another way. Attempts come and go, so the table is often known to be empty.
		this.begun = new IndexedQuery(jdbc, """
				select e.tenant_id, e.event_id, a.began
				  from unnest(?::text[], ?::uuid[]) as e (tenant_id, event_id) cross join lateral (
				    select t.next_attempt_at is null as began
				      from %s t
				     where t.projector_name = ? and t.event_id = e.event_id and t.tenant_id = e.tenant_id
				    offset 0) a""".formatted(this.table));
	}

	/** Counts an attempt of an event. */
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
	 * Marks events that are going to run, without counting an attempt. The commit does
	 * not wait for the disk. If the database loses the mark, at most one more process
	 * dies.
	 * @param texts the form of their ordering keys
	 */
	public void mark(Map<EventKey, RoutedEvent> events, TextForm texts) {
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
			statement.setArray(4,
					connection.createArrayOf("text",
							events.values()
								.stream()
								.map((event) -> texts.text(event.event().orderingKey()))
								.toArray(String[]::new)));
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
	 * Returns the events that have a row. The value shows whether an attempt of the
	 * event, or of its marked group, began and did not end.
	 */
	public Map<EventKey, Boolean> begun(Collection<EventKey> events) {
		Map<EventKey, Boolean> begun = new HashMap<>();
		this.begun.list((row, number) -> {
			EventKey event = new EventKey(TenantId.of(row.getString(1)), row.getObject(2, UUID.class));
			begun.put(event, row.getBoolean(3));
			return event;
		}, events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new),
				events.stream().map(EventKey::eventId).toArray(UUID[]::new), this.projector);
		return begun;
	}

	/**
	 * Takes back an attempt that was counted before the handler ran and did not fail.
	 * This node need not own the projector any more. A new owner counts its own attempts.
	 */
	public void takeBack(EventKey event) {
		this.jdbc.update("""
				update %s set attempts = attempts - 1
				 where projector_name = ? and event_id = ? and tenant_id = ? and attempts > 0
				""".formatted(this.table), this.projector, event.eventId(), event.tenantId().value());
	}

	/** Records the error of an attempt that was counted before the handler ran. */
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

	/** Sets the time of the next attempt, by the database's clock. */
	public void schedule(EventKey event, Duration delay) {
		this.jdbc.update("""
				update %s set next_attempt_at = now() + ? * interval '1 millisecond'
				 where projector_name = ? and event_id = ? and tenant_id = ?""".formatted(this.table), delay.toMillis(),
				this.projector, event.eventId(), event.tenantId().value());
	}

	/** Deletes the attempts of settled events. There may be none. */
	public void forget(Collection<EventKey> events) {
		if (events.isEmpty()) {
			return;
		}
		this.jdbc.batchUpdate(
				"delete from %s where projector_name = ? and event_id = ? and tenant_id = ?".formatted(this.table),
				events, events.size(), (statement, event) -> {
					statement.setString(1, this.projector);
					statement.setObject(2, event.eventId());
					statement.setString(3, event.tenantId().value());
				});
	}

	/**
	 * Deletes the attempts of events of a tenant. By a range of the primary key.
	 * @param key the ordering key of the events within the tenant; null for all of them
	 */
	public void forgetOf(TenantId tenant, @Nullable String key) {
		this.jdbc.update("""
				delete from %s
				 where projector_name = ? and tenant_id = ? and (cast(? as text) is null or ordering_key = ?)
				""".formatted(this.table), this.projector, tenant.value(), key, key);
	}

	/** Deletes all attempts of the projector. By a range of the primary key. */
	public void forgetAll() {
		this.jdbc.update("delete from %s where projector_name = ?".formatted(this.table), this.projector);
	}

	/**
	 * Deletes attempts of events that will not be delivered again, for example because
	 * the stream has removed them or a newer version skips them. An unsettled event was
	 * stored no earlier than the first event that can still be delivered, and its
	 * attempts are later than that.
	 * @param first when the first event was stored that can still be delivered
	 */
	public void forgetBefore(Instant first) {
		// Uses a range of the primary key: the rows of the projector.
		this.jdbc.update("delete from %s where projector_name = ? and last_attempt_at < ?".formatted(this.table),
				this.projector, first.minus(CLOCKS_DIFFER).atOffset(ZoneOffset.UTC));
	}

	/**
	 * Returns all events of the projector that have a row, with the remaining time until
	 * their next attempt.
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
	 * @param number the number of the attempt, from 1
	 * @param firstAt the time of the first attempt
	 */
	public record Attempt(int number, Instant firstAt) {
	}

}
