package dev.eventing.sdk.deadletter.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.jdbc.IndexedQuery;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The letters of a projector whose read model is rebuilt. Every statement runs in the
 * caller's transaction, or alone if it only reads. Thread-safe.
 */
public final class RebuiltLetters {

	private final JdbcClient jdbc;

	private final ProjectorId projector;

	private final String letters;

	private final String audit;

	private final AppliedEvents applied;

	private final IndexedQuery any;

	/** Sends no query yet. */
	public RebuiltLetters(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.projector = projector;
		this.jdbc = JdbcClient.create(jdbc);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
		this.applied = new AppliedEvents(schema);
		this.any = new IndexedQuery(jdbc,
				"select exists (select from %s where projector_name = ?)".formatted(this.letters));
	}

	/**
	 * Closes the open letters, because their events are applied again in order, and
	 * claims these events, because all others are claimed. Letters of messages without a
	 * tenant stay open: such a message is applied by a redrive, once it has a tenant.
	 * @return the number of closed letters
	 */
	public int close() {
		// By the indexes on open letters of the projector. Waits for operators and
		// redrives that have locked one.
		return this.jdbc
			.sql("""
					with closed as (
					  update %s set status = 'RESOLVED', closed_at = clock_timestamp(), redrive_runs = 0,
					         redrive_id = null, next_redrive_at = null
					   where projector_name = :projector and status in ('PARKED', 'REDRIVING') and tenant_id <> ''
					  returning letter_id, event_id, tenant_id),
					claimed as (
					  %s)
					insert into %s (letter_id, actor, action) select letter_id, :actor, :action from closed
					""".formatted(this.letters,
					this.applied.add("select :projector, event_id, tenant_id from closed order by event_id, tenant_id"),
					this.audit))
			.param("projector", this.projector.inColumn())
			.param("actor", this.projector.actor())
			.param("action", DeadLetterAction.REBUILT.name())
			.update();
	}

	/** The number of open letters. By the indexes on open letters of the projector. */
	public long open() {
		return this.jdbc
			.sql("""
					select count(*) from %s where projector_name = ? and status in ('PARKED', 'REDRIVING')"""
				.formatted(this.letters))
			.param(this.projector.inColumn())
			.query(Long.class)
			.single();
	}

	/**
	 * A query of {@code event_id} and {@code tenant_id}, ordered by these: the events of
	 * open letters of the next generation that the live one has applied. Use it before
	 * the letters are exchanged, because the exchange deletes the claims that show it.
	 * @param next the name of the next generation, as SQL
	 * @param live the name of the live generation, likewise
	 */
	public static String appliedBut(EventingSchema schema, String next, String live) {
		// By the indexes on open letters of the projector, and the primary key of claims.
		return """
				select d.event_id, d.tenant_id from %s d
				 where d.projector_name = %s and d.status in ('PARKED', 'REDRIVING') and d.tenant_id <> ''
				   and %s
				 order by d.event_id, d.tenant_id""".formatted(schema.table("dead_letters"), next,
				new AppliedEvents(schema).hasEach(live, "d.event_id", "d.tenant_id"));
	}

	/**
	 * Exchanges the letters of the live generation, whose ledger this is, with those of
	 * the next one. Open letters belong to the generation in which their events failed,
	 * and so do closed ones of events that failed in the other. After the exchange, all
	 * claims are true for the next one: events of its open letters are not claimed, and
	 * events of the former one's open letters are.
	 * @param former the name under which the live generation's letters are kept
	 * @param next the name of the next generation
	 */
	public void exchange(ProjectorId former, ProjectorId next) {
		// By dead_letters_event and the indexes on open letters of the projector.
		this.jdbc.sql("""
				update %1$s d set projector_name = :former
				 where d.projector_name = :live
				   and (d.status in ('PARKED', 'REDRIVING')
				        or exists (select from %1$s o where o.projector_name = :next and o.tenant_id = d.tenant_id
				                      and o.event_id = d.event_id))""".formatted(this.letters))
			.param("former", former.inColumn())
			.param("live", this.projector.inColumn())
			.param("next", next.inColumn())
			.update();
		this.jdbc.sql("update %s set projector_name = :live where projector_name = :next".formatted(this.letters))
			.param("live", this.projector.inColumn())
			.param("next", next.inColumn())
			.update();
		this.jdbc.sql(this.applied.add("""
				select :live, d.event_id, d.tenant_id from %s d
				 where d.projector_name = :former and d.status in ('PARKED', 'REDRIVING') and d.tenant_id <> ''
				 order by d.event_id, d.tenant_id""".formatted(this.letters)))
			.param("live", this.projector.inColumn())
			.param("former", former.inColumn())
			.update();
		this.jdbc.sql(this.applied.remove(":live", """
				select event_id, tenant_id from %s
				 where projector_name = :live and status in ('PARKED', 'REDRIVING')""".formatted(this.letters)))
			.param("live", this.projector.inColumn())
			.update();
	}

	/**
	 * The number of open letters of another generation for whose events the live one,
	 * whose ledger this is, has no letter or a resolved one.
	 */
	public long missing(ProjectorId other) {
		// By the indexes on open letters of the projector, then by dead_letters_event. A
		// scalar subquery is no join, which could compare all letters of the two.
		return this.jdbc.sql("""
				select count(*) from %1$s o
				 where o.projector_name = ? and o.status in ('PARKED', 'REDRIVING')
				   and (select d.status <> 'RESOLVED' from %1$s d
				         where d.projector_name = ? and d.tenant_id = o.tenant_id and d.event_id = o.event_id)
				       is not true""".formatted(this.letters))
			.param(other.inColumn())
			.param(this.projector.inColumn())
			.query(Long.class)
			.single();
	}

	/**
	 * Deletes some letters of generations that are gone, with their audit.
	 * @return the number of deleted letters; 0 if none are left
	 */
	public static int sweep(JdbcOperations jdbc, EventingSchema schema, Collection<ProjectorId> gone) {
		// By dead_letters_event. The order keeps PostgreSQL from reading letters of
		// others.
		return jdbc.update("""
				delete from %1$s where letter_id = any (array(
				  select letter.letter_id
				    from unnest(?::text[]) as gone (name) cross join lateral (
				      select d.letter_id from %1$s d
				       where d.projector_name = gone.name
				       order by d.tenant_id, d.event_id limit 1000) letter
				   limit 1000))""".formatted(schema.table("dead_letters")),
				(Object) gone.stream().map(ProjectorId::inColumn).toArray(String[]::new));
	}

	/**
	 * Returns what operators have decided about these events: {@link Decision#DISCARDED
	 * discarded} or edited. Events without a decision are left out.
	 */
	public Map<EventKey, Decision> decisions(Collection<EventKey> events) {
		Map<EventKey, Decision> decisions = new HashMap<>();
		if (!hasAny()) {
			return decisions;
		}
		UUID[] ids = events.stream().map(EventKey::eventId).toArray(UUID[]::new);
		String[] tenants = events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new);
		// One lookup per event by dead_letters_event: "offset 0" keeps the planner from
		// another join.
		this.jdbc.sql("""
				select e.event_id, e.tenant_id, letter.discarded
				  from unnest(?::text[], ?::uuid[]) as e (tenant_id, event_id) cross join lateral (
				    select d.status = 'DISCARDED' as discarded
				      from %s d
				     where d.projector_name = ? and d.tenant_id = e.tenant_id and d.event_id = e.event_id
				       and (d.status = 'DISCARDED' or d.status = 'RESOLVED' and d.edited_payload is not null)
				    offset 0) letter
				""".formatted(this.letters)).param(tenants).param(ids).param(this.projector.inColumn()).query((row) -> {
			decisions.put(new EventKey(TenantId.of(row.getString(2)), row.getObject(1, UUID.class)),
					row.getBoolean(3) ? Decision.DISCARDED : Decision.EDITED);
		});
		return decisions;
	}

	/** Whether the projector has letters. By {@code dead_letters_event}. */
	private boolean hasAny() {
		return this.any.list((row, number) -> row.getBoolean(1), this.projector.inColumn()).get(0);
	}

	/**
	 * The number of open letters of events of these types. By the indexes on open letters
	 * of the projector.
	 */
	public long open(String... types) {
		return this.jdbc
			.sql("""
					select count(*) from %s
					 where projector_name = ? and status in ('PARKED', 'REDRIVING') and event_type = any (?)"""
				.formatted(this.letters))
			.param(this.projector.inColumn())
			.param(types)
			.query(Long.class)
			.single();
	}

	/**
	 * Whether a letter of these types, or of an event whose type is not known, was
	 * resolved before a time. Reads the letters of the projector, by dead_letters_event.
	 */
	public boolean isResolvedBefore(Instant time, String... types) {
		return this.jdbc.sql("""
				select exists (
				  select from %s
				   where projector_name = ? and status = 'RESOLVED' and closed_at < ?
				     and (event_type is null or event_type = any (?)))""".formatted(this.letters))
			.param(this.projector.inColumn())
			.param(time.atOffset(ZoneOffset.UTC))
			.param(types)
			.query(Boolean.class)
			.single();
	}

	/** Returns those of these events that have an open letter. */
	public Set<EventKey> open(Collection<EventKey> events) {
		Set<EventKey> open = new HashSet<>();
		UUID[] ids = events.stream().map(EventKey::eventId).toArray(UUID[]::new);
		String[] tenants = events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new);
		// One lookup per event by dead_letters_event, as for decisions.
		this.jdbc.sql("""
				select e.event_id, e.tenant_id
				  from unnest(?::text[], ?::uuid[]) as e (tenant_id, event_id)
				 where (select d.status in ('PARKED', 'REDRIVING') from %s d
				         where d.projector_name = ? and d.tenant_id = e.tenant_id and d.event_id = e.event_id)
				""".formatted(this.letters)).param(tenants).param(ids).param(this.projector.inColumn()).query((row) -> {
			open.add(new EventKey(TenantId.of(row.getString(2)), row.getObject(1, UUID.class)));
		});
		return open;
	}

	/** Returns the edited payload of an event. By {@code dead_letters_event}. */
	public byte[] editedPayload(EventKey event) {
		return this.jdbc.sql("""
				select edited_payload from %s
				 where projector_name = ? and tenant_id = ? and event_id = ?""".formatted(this.letters))
			.param(this.projector.inColumn())
			.param(event.tenantId().value())
			.param(event.eventId())
			.query(byte[].class)
			.single();
	}

	/** What an operator decided about an event. */
	public enum Decision {

		/** It is never applied. */
		DISCARDED,

		/** It is applied with another payload. */
		EDITED

	}

}
