package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.event.ProjectorId;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Requests redrives without an operator, in the caller's transaction. */
final class AutomaticRedrives {

	private static final int DUE_AT_ONCE = 500;

	private final JdbcClient jdbc;

	private final String table;

	private final Audit audit;

	AutomaticRedrives(JdbcClient jdbc, String table, Audit audit) {
		this.jdbc = jdbc;
		this.table = table;
		this.audit = audit;
	}

	/**
	 * Requests the automatic redrives that are due, at most 500, with the letters parked
	 * in the same keys.
	 */
	void requestDue(ProjectorId projector) {
		// By dead_letters_due. A letter that another transaction has locked comes next
		// time.
		List<UUID> due = this.jdbc.sql("""
				update %1$s set status = 'REDRIVING', redrive_id = null, next_redrive_at = null
				 where letter_id in (select letter_id from %1$s
				                      where projector_name = :projector and status = 'PARKED'
				                        and next_redrive_at <= now()
				                      order by next_redrive_at limit :limit
				                        for update skip locked)
				returning letter_id""".formatted(this.table))
			.param("projector", projector.inColumn())
			.param("limit", DUE_AT_ONCE)
			.query(UUID.class)
			.list();
		this.audit.add(due, projector, DeadLetterAction.REDRIVE_REQUESTED, "its automatic redrive was due");
		requestFollowers(projector, due, "it follows a letter whose automatic redrive was due");
	}

	/**
	 * Requests redrives of all letters that are parked in the keys of these letters, as
	 * part of the same redrives. A separate statement, so that it sees what was committed
	 * before the letters were locked.
	 */
	void requestFollowers(ProjectorId projector, Collection<UUID> letterIds, String why) {
		if (letterIds.isEmpty()) {
			return;
		}
		// The letters by the primary key, their keys by dead_letters_open_key. Locks in
		// the order of letter numbers.
		List<UUID> followers = this.jdbc.sql("""
				with keys as materialized (
				  select parking_key, (array_agg(redrive_id))[1] as redrive_id
				    from %1$s
				   where letter_id = any(:letterIds) and parking_key is not null
				   group by parking_key),
				followers as materialized (
				  select d.letter_id, k.redrive_id
				    from keys k join %1$s d on d.projector_name = :projector and d.parking_key = k.parking_key
				   where d.status = 'PARKED'
				   order by d.letter_number
				     for update of d)
				update %1$s d set status = 'REDRIVING', redrive_id = f.redrive_id, next_redrive_at = null
				  from followers f
				 where d.letter_id = f.letter_id
				returning d.letter_id""".formatted(this.table))
			.param("letterIds", UuidArray.of(letterIds))
			.param("projector", projector.inColumn())
			.query(UUID.class)
			.list();
		this.audit.add(followers, projector, DeadLetterAction.REDRIVE_REQUESTED, why);
	}

}
