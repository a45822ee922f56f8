package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The letters of messages without a tenant that operators have mended. A redrive applies
 * such a message as the event that its edited payload names, and this event has the
 * claim. Every statement runs in the caller's transaction, or alone if it only reads.
 * Thread-safe.
 */
public final class MendedLetters {

	private final JdbcClient jdbc;

	private final ProjectorId live;

	private final String letters;

	private final AppliedEvents applied;

	/** Sends no query yet. */
	public MendedLetters(JdbcOperations jdbc, EventingSchema schema, ProjectorId live) {
		this.jdbc = JdbcClient.create(jdbc);
		this.live = live;
		this.letters = schema.table("dead_letters");
		this.applied = new AppliedEvents(schema);
	}

	/**
	 * Returns the edited payloads of resolved letters of messages without a tenant. A
	 * redrive has applied such a message as the event that its payload names.
	 * @param ids the ids that were computed from the places of the messages
	 */
	public Map<UUID, byte[]> mended(Collection<UUID> ids) {
		Map<UUID, byte[]> mended = new HashMap<>();
		// One lookup per message by dead_letters_event, as for decisions.
		this.jdbc.sql("""
				select m.event_id, letter.edited_payload
				  from unnest(?::uuid[]) as m (event_id) cross join lateral (
				    select d.edited_payload
				      from %s d
				     where d.projector_name = ? and d.tenant_id = '' and d.event_id = m.event_id
				       and d.status = 'RESOLVED' and d.edited_payload is not null
				    offset 0) letter
				""".formatted(this.letters))
			.param(ids.toArray(UUID[]::new))
			.param(this.live.inColumn())
			.query((row) -> {
				mended.put(row.getObject(1, UUID.class), row.getBytes(2));
			});
		return mended;
	}

	/**
	 * A condition of SQL: the live generation has applied an event in place of a message,
	 * and another generation has a letter of that message and has applied nothing in its
	 * place. By {@code dead_letters_event}.
	 * @param live the live generation, as SQL; the others likewise
	 * @param own the other generation
	 */
	public static String isOnlyLive(EventingSchema schema, String live, String own, String tenant, String event) {
		return """
				exists (select from %1$s d
				          join %1$s o on o.projector_name = %3$s and o.tenant_id = '' and o.event_id = d.event_id
				         where d.projector_name = %2$s and d.tenant_id = '' and d.mended_tenant_id = %4$s
				           and d.mended_event_id = %5$s and o.mended_event_id is null and o.status <> 'RESOLVED')"""
			.formatted(schema.table("dead_letters"), live, own, tenant, event);
	}

	/**
	 * Returns letters that do not record an event yet, and the event that another
	 * generation has applied in place of the same message. If the event was delivered
	 * again with its tenant, the generation of the letters may have applied it, too.
	 * @param mine the generation of the letters
	 */
	public Map<UUID, EventKey> unnoted(ProjectorId mine, ProjectorId other) {
		Map<UUID, EventKey> unnoted = new LinkedHashMap<>();
		// By dead_letters_event.
		this.jdbc.sql("""
				select d.letter_id, o.mended_event_id, o.mended_tenant_id
				  from %1$s o join %1$s d on d.projector_name = :mine and d.tenant_id = '' and d.event_id = o.event_id
				 where o.projector_name = :other and o.tenant_id = '' and o.mended_event_id is not null
				   and d.mended_event_id is null
				 order by d.letter_number""".formatted(this.letters))
			.param("mine", mine.inColumn())
			.param("other", other.inColumn())
			.query((row) -> {
				unnoted.put(row.getObject(1, UUID.class),
						new EventKey(TenantId.of(row.getString(3)), row.getObject(2, UUID.class)));
			});
		return unnoted;
	}

	/**
	 * Claims the events that the generation which is live now has applied in place of
	 * messages, if the former one has a letter of the same message, too. So the claims
	 * are true for it, as far as its letters show. Call it after the letters are
	 * exchanged.
	 */
	public void claim(ProjectorId former) {
		// By dead_letters_event.
		this.jdbc.sql(this.applied.add("""
				select :live, d.mended_event_id, d.mended_tenant_id from %1$s d
				 where d.projector_name = :live and d.tenant_id = '' and d.mended_event_id is not null
				   and exists (select from %1$s o
				                where o.projector_name = :former and o.tenant_id = '' and o.event_id = d.event_id)
				 order by d.mended_event_id, d.mended_tenant_id""".formatted(this.letters)))
			.param("live", this.live.inColumn())
			.param("former", former.inColumn())
			.update();
	}

	/**
	 * Returns the events that the former generation has applied in place of messages, and
	 * the live one has not, as far as its letters show. The live one may still have
	 * applied them, if they were delivered again. Call it after the letters are
	 * exchanged.
	 */
	public Set<EventKey> onlyIn(ProjectorId former) {
		Set<EventKey> only = new HashSet<>();
		// By dead_letters_event.
		this.jdbc.sql("""
				select o.mended_event_id, o.mended_tenant_id
				  from %1$s o join %1$s d on d.projector_name = :live and d.tenant_id = '' and d.event_id = o.event_id
				 where o.projector_name = :former and o.tenant_id = '' and o.mended_event_id is not null
				   and case when d.mended_event_id is null then d.status <> 'RESOLVED'
				       else (d.mended_tenant_id, d.mended_event_id) <> (o.mended_tenant_id, o.mended_event_id) end
				""".formatted(this.letters))
			.param("live", this.live.inColumn())
			.param("former", former.inColumn())
			.query((row) -> {
				only.add(new EventKey(TenantId.of(row.getString(2)), row.getObject(1, UUID.class)));
			});
		return only;
	}

}
