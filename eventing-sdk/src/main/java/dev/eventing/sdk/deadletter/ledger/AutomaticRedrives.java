package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetterAction;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Redrives that a projector requests by itself, in the caller's transaction. */
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

	/** Those whose time has come, and all that is parked behind them. */
	void requestDue(String projector) {
		// By dead_letters_due; a letter that somebody else has at hand comes next time.
		List<UUID> due = this.jdbc.sql("""
				update %1$s set status = 'REDRIVING', redrive_id = null, next_redrive_at = null
				 where letter_id in (select letter_id from %1$s
				                      where projector_name = :projector and status = 'PARKED'
				                        and next_redrive_at <= now()
				                      order by next_redrive_at limit :limit
				                        for update skip locked)
				returning letter_id""".formatted(this.table))
			.param("projector", projector)
			.param("limit", DUE_AT_ONCE)
			.query(UUID.class)
			.list();
		this.audit.add(due, projector, DeadLetterAction.REDRIVE_REQUESTED, "its time had come");
		requestFollowers(projector, due, "it follows one whose time had come");
	}

	/**
	 * All that is parked in the keys of these letters, as part of their redrive. In a
	 * statement of its own, so that it sees what was committed before their locks were
	 * had.
	 */
	void requestFollowers(String projector, Collection<UUID> letterIds, String why) {
		if (letterIds.isEmpty()) {
			return;
		}
		// The letters by the primary key, their keys by dead_letters_open_key; locks in
		// the order of letters.
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
			.param("projector", projector)
			.query(UUID.class)
			.list();
		this.audit.add(followers, projector, DeadLetterAction.REDRIVE_REQUESTED, why);
	}

}
