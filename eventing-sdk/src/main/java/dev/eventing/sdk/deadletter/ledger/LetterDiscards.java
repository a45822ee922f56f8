package dev.eventing.sdk.deadletter.ledger;

import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Discards letters and redrives those parked after them, in the caller's transaction. */
final class LetterDiscards {

	private final JdbcClient jdbc;

	private final KeyedLetters families;

	private final String letters;

	private final String audit;

	private final String redrives;

	private final AppliedEvents applied;

	LetterDiscards(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.families = new KeyedLetters(jdbc, schema);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
		this.redrives = schema.table("dead_letter_redrives");
		this.applied = new AppliedEvents(schema);
	}

	long plan(LetterConditions conditions) {
		return this.jdbc.sql("select count(*) from %s d where %s".formatted(this.letters, open(conditions)))
			.params(conditions.params())
			.query(Long.class)
			.single();
	}

	long discard(LetterConditions conditions, String actor, String reason) {
		Optional<KeyedLetters.Locked> locked = this.families.lock(open(conditions), conditions.params());
		if (locked.isEmpty()) {
			return 0;
		}
		String fitting = locked.get().fitting();
		long discarded = close(fitting, actor, reason);
		release(fitting, actor);
		return discarded;
	}

	private static String open(LetterConditions conditions) {
		return KeyedLetters.OPEN + " and " + conditions.sql();
	}

	/**
	 * Closes the letters. Their events count as applied, so that a later redelivery is a
	 * duplicate. That adds no rows for a generation beside the live one, because rows
	 * under its name are its differences from the live one.
	 */
	private long close(String locked, String actor, String reason) {
		// By the primary keys of both tables.
		return this.jdbc.sql("""
				with closed as (
				  update %s d
				     set status = 'DISCARDED', closed_at = now()
				   where %s
				  returning d.letter_id, d.projector_name, d.tenant_id, d.event_id),
				audited as (
				  insert into %s (letter_id, actor, action, detail)
				  select letter_id, :actor, 'DISCARDED', :reason from closed),
				processed as (
				  %s)
				select count(*) from closed
				""".formatted(this.letters, KeyedLetters.LOCKED, this.audit, this.applied.add("""
				select projector_name, event_id, tenant_id from closed
				 where tenant_id <> '' and %s
				 order by projector_name, event_id, tenant_id""".formatted(ProjectorId.liveIn("projector_name")))))
			.param("locked", locked)
			.param("actor", StorableText.of(actor))
			.param("reason", StorableText.of(reason))
			.query(Long.class)
			.single();
	}

	/**
	 * Redrives the letters parked after the discarded ones, unless an earlier letter of
	 * their key is still open. A separate statement, so that it sees what was parked
	 * before the discarded letters were locked. Later events of the key find them closed.
	 */
	private void release(String locked, String actor) {
		UUID redriveId = UUID.randomUUID();
		// The discarded ones by the primary key, their keys by dead_letters_open_key. The
		// planner cannot turn a scalar subquery, or a lateral one with an offset, into a
		// join.
		long released = this.jdbc.sql("""
				with closed as (
				  select d.projector_name, d.tenant_id, d.parking_key, min(d.letter_number) as first
				    from %1$s d
				   where %2$s and d.parking_key is not null
				   group by 1, 2, 3),
				freed as (
				  select * from closed
				   where (select min(d.letter_number) from %1$s d
				           where d.projector_name = closed.projector_name and d.parking_key = closed.parking_key
				             and d.letter_number < closed.first and %3$s) is null),
				marked as (
				  update %1$s d
				     set status = 'REDRIVING', redrive_id = :redriveId
				   where d.letter_id in (
				     select other.letter_id
				       from freed cross join lateral (
				         select d.letter_id
				           from %1$s d
				          where d.projector_name = freed.projector_name and d.parking_key = freed.parking_key
				            and d.tenant_id = freed.tenant_id and d.status = 'PARKED'
				         offset 0) as other)
				     and d.status = 'PARKED'
				  returning d.letter_id),
				audited as (
				  insert into %4$s (letter_id, actor, action, detail)
				  select letter_id, :actor, 'REDRIVE_REQUESTED',
				         'redrive ' || :redriveId || ', the letter before it was discarded'
				    from marked)
				select count(*) from marked
				""".formatted(this.letters, KeyedLetters.LOCKED, KeyedLetters.OPEN, this.audit))
			.param("locked", locked)
			.param("redriveId", redriveId)
			.param("actor", StorableText.of(actor))
			.query(Long.class)
			.single();
		if (released > 0) {
			record(redriveId, actor, released);
		}
	}

	private void record(UUID redriveId, String actor, long released) {
		this.jdbc.sql("""
				insert into %s (redrive_id, actor, selection, letters)
				values (:redriveId, :actor, 'after discarded letters', :letters)
				""".formatted(this.redrives))
			.param("redriveId", redriveId)
			.param("actor", StorableText.of(actor))
			.param("letters", released)
			.update();
	}

}
