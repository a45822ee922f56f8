package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The snapshots that are older than this moment. A transaction with an old one would find
 * the new tables by their names, and in them less than it has seen before. For one
 * thread.
 */
final class OldSnapshots {

	/**
	 * A snapshot that began later sees all transactions that had ended by then. Of
	 * another role's sessions PostgreSQL shows the snapshot, and neither the start nor
	 * the kind; workers of the server itself have no role.
	 */
	private static final String HELD = """
			with this(age) as (select age(cast(cast(? as text) as xid)))
			select 'SESSION', format('pid %s ''%s'' since %s', pid, coalesce(application_name, 'of another role'),
			                         coalesce(xact_start::text, 'an unknown time'))
			  from pg_stat_activity, this
			 where age(backend_xmin) > this.age and datname = current_database() and pid <> pg_backend_pid()
			   and usesysid is not null and coalesce(backend_type, 'client backend') = 'client backend'
			union all
			select 'PREPARED', format('prepared transaction ''%s'' since %s', gid, prepared)
			  from pg_prepared_xacts where database = current_database()
			union all
			select 'REPLICA', format('replica ''%s'' at pid %s', coalesce(application_name, 'of another role'), pid)
			  from pg_stat_activity, this
			 where age(backend_xmin) > this.age and datname is null and usesysid is not null
			   and coalesce(backend_type, 'walsender') = 'walsender'
			union all
			select 'REPLICA', format('replication slot ''%s''', slot_name)
			  from pg_replication_slots, this where age(xmin) > this.age
			""";

	private final JdbcOperations jdbc;

	/** The first transaction that had not begun. */
	private final String moment;

	private List<Holder> held;

	/** Notes which snapshots are held now. */
	OldSnapshots(JdbcOperations jdbc) {
		this.jdbc = jdbc;
		this.moment = Objects.requireNonNull(jdbc
			.queryForObject("select cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as xid) as text)", String.class));
		this.held = read();
	}

	/** Whether all that were held have ended. */
	boolean haveEnded() {
		if (!this.held.isEmpty()) {
			List<Holder> now = new ArrayList<>(read());
			// While an older transaction writes, a session that begins later seems old
			// too.
			now.removeIf((holder) -> holder.kind() == Kind.SESSION && !this.held.contains(holder));
			this.held = now;
		}
		return this.held.isEmpty();
	}

	/**
	 * Whether only replicas hold some. They tell the server of it once in
	 * {@code wal_receiver_status_interval}.
	 */
	boolean areOnlyOfReplicas() {
		return this.held.stream().allMatch((holder) -> holder.kind() == Kind.REPLICA);
	}

	/** Those that are still held, without their statements. */
	String describe() {
		return String.join("; ", this.held.stream().map(Holder::name).toList());
	}

	/**
	 * A transaction at read committed takes another snapshot for each statement, and has
	 * none between two of them.
	 */
	private List<Holder> read() {
		return this.jdbc.query(HELD, (row, number) -> new Holder(Kind.valueOf(row.getString(1)), row.getString(2)),
				this.moment);
	}

	private enum Kind {

		SESSION,

		/** Its rows appear later, and it may have written to the live tables. */
		PREPARED,

		/** A standby server with {@code hot_standby_feedback}. */
		REPLICA

	}

	private record Holder(Kind kind, String name) {
	}

}
