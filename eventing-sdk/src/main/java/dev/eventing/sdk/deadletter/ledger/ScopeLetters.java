package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The letters of a part of a projector's read model. Every statement runs in the caller's
 * transaction, or alone if it only reads. Thread-safe.
 */
public final class ScopeLetters {

	private final JdbcClient jdbc;

	private final ProjectorId projector;

	private final String letters;

	private final String audit;

	private final String events;

	/** Sends no query yet. */
	public ScopeLetters(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = JdbcClient.create(jdbc);
		this.projector = projector;
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
		this.events = schema.table("events");
	}

	/**
	 * Finds the streams that the events of letters belong to. Letters of other projectors
	 * are left out, and those whose event is not in the event store. By the primary key,
	 * and by {@code events_event}.
	 */
	public Map<UUID, InStream> find(Collection<UUID> ids) {
		Map<UUID, InStream> found = new HashMap<>();
		this.jdbc.sql("""
				select d.letter_id, e.tenant_id, e.stream_id
				  from %s d join %s e on e.event_id = d.event_id and e.tenant_id = d.tenant_id
				 where d.letter_id = any (?) and d.projector_name = ?""".formatted(this.letters, this.events))
			.param(ids.toArray(UUID[]::new))
			.param(this.projector.inColumn())
			.query((row) -> {
				found.put(row.getObject(1, UUID.class), new InStream(TenantId.of(row.getString(2)), row.getString(3)));
			});
		return found;
	}

	/** The number of open letters that {@link #close} would close. */
	public long open(TenantId tenant, @Nullable String stream) {
		return this.jdbc.sql("select count(*) from %s d where %s".formatted(this.letters, isOpen()))
			.param("projector", this.projector.inColumn())
			.param("tenant", tenant.value())
			.param("stream", stream)
			.query(Long.class)
			.single();
	}

	/**
	 * Locks and closes the open letters of a tenant, or of one of its streams, because
	 * their events are applied again in order. Waits for operators who have locked one.
	 * @param stream null for all streams of the tenant
	 * @return the events of the closed letters
	 */
	public Set<EventKey> close(TenantId tenant, @Nullable String stream) {
		// By the indexes on open letters of the projector, then by events_event.
		return Set.copyOf(this.jdbc.sql("""
				with closed as (
				  update %s d set status = 'RESOLVED', closed_at = clock_timestamp(), redrive_runs = 0,
				         redrive_id = null, next_redrive_at = null
				   where %s
				  returning letter_id, tenant_id, event_id),
				noted as (
				  insert into %s (letter_id, actor, action) select letter_id, :actor, :action from closed)
				select tenant_id, event_id from closed
				""".formatted(this.letters, isOpen(), this.audit))
			.param("projector", this.projector.inColumn())
			.param("tenant", tenant.value())
			.param("stream", stream)
			.param("actor", this.projector.actor())
			.param("action", DeadLetterAction.REBUILT.name())
			.query((row, number) -> new EventKey(TenantId.of(row.getString(1)), row.getObject(2, UUID.class)))
			.list());
	}

	private String isOpen() {
		return """
				d.projector_name = :projector and d.status in ('PARKED', 'REDRIVING') and d.tenant_id = :tenant
				   and (cast(:stream as text) is null
				        or exists (select from %s e where e.event_id = d.event_id and e.tenant_id = d.tenant_id
				                      and e.stream_id = :stream))""".formatted(this.events);
	}

	/** Which of these events have an open letter. By {@code dead_letters_event}. */
	public Set<EventKey> openAmong(Collection<EventKey> events) {
		Set<EventKey> open = new HashSet<>();
		this.jdbc.sql("""
				select e.event_id, e.tenant_id
				  from unnest(?::text[], ?::uuid[]) as e (tenant_id, event_id)
				 where (select d.status in ('PARKED', 'REDRIVING') from %s d
				         where d.projector_name = ? and d.tenant_id = e.tenant_id and d.event_id = e.event_id)
				""".formatted(this.letters))
			.param(events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new))
			.param(events.stream().map(EventKey::eventId).toArray(UUID[]::new))
			.param(this.projector.inColumn())
			.query((row) -> {
				open.add(new EventKey(TenantId.of(row.getString(2)), row.getObject(1, UUID.class)));
			});
		return open;
	}

	/**
	 * A stream of the event store.
	 *
	 * @param tenant its tenant
	 * @param stream its id
	 */
	public record InStream(TenantId tenant, String stream) {
	}

}
