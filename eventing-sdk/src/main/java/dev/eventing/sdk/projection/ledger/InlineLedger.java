package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What appends do for an inline projector, in {@code projection_inline}, and the events
 * that they skipped, in {@code projection_skips}. Every statement runs in the caller's
 * transaction, or alone if it only reads. Thread-safe.
 *
 * <p>
 * Each append keeps the shared form of one advisory lock until its commit, the same for
 * all inline projectors. Rows change under the exclusive form, unless a method says
 * otherwise.
 */
public final class InlineLedger {

	/** Below the time-out after which PostgreSQL looks for deadlocks. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '200ms'";

	/** Appends wait meanwhile, also if this node is frozen or a handler waits. */
	private static final String LIMITS = LOCK_TIMEOUT
			+ "; set local statement_timeout = '1s'; set local idle_in_transaction_session_timeout = '1s'";

	private final JdbcClient client;

	private final JdbcOperations jdbc;

	private final String projector;

	private final String lockSql;

	private final String inline;

	private final String skips;

	private final String lastSkip;

	private final String events;

	private final String controls;

	private final InlineChanges changes;

	private final String trigger;

	private final ProjectionAudit audit;

	/** Sends no query yet. */
	public InlineLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.client = JdbcClient.create(jdbc);
		this.projector = projector.base();
		this.lockSql = "select pg_advisory_xact_lock(\"%s\".inline_lock())".formatted(schema.name());
		this.inline = schema.table("projection_inline");
		this.skips = schema.table("projection_skips");
		// Backwards by the primary key: a pause of a night leaves many rows that are
		// gone, and an old snapshot keeps them.
		this.lastSkip = """
				(select global_position from %1$s
				  where projection_name = :projector and global_position > (
				      select from_position from %2$s where projection_name = :projector)
				  order by global_position desc limit 1)""".formatted(this.skips, this.inline);
		this.events = schema.table("events");
		this.controls = schema.table("projector_controls");
		this.changes = new InlineChanges(this.client, schema);
		// The condition costs an append less than a call that does nothing: '=' says that
		// the guard of the same statement has left nothing out.
		this.trigger = """
				create trigger eventing_inline after insert on %s referencing new table as appended
				for each statement when (current_setting('eventing.inline', true) is distinct from '=')
				execute function "%s".note_inline_skips()""".formatted(this.events, schema.name());
		this.audit = new ProjectionAudit(this.client, schema);
	}

	/** By the primary key. Empty for a projector that never was inline. */
	public Optional<InlineRow> find() {
		return this.client.sql("""
				select mode, code, handled, turn, from_position, to_position, demoted
				  from %s where projection_name = ?""".formatted(this.inline))
			.param(this.projector)
			.query(InlineLedger::row)
			.optional();
	}

	private static InlineRow row(ResultSet row, int number) throws SQLException {
		return new InlineRow(row.getString(1).equals("INLINE"), row.getString(2), row.getString(3), row.getLong(4),
				row.getObject(5, Long.class), row.getObject(6, Long.class), row.getBoolean(7));
	}

	/** Whether appends have skipped events that they should have applied. */
	public boolean hasSkips() {
		return lastSkip() != null;
	}

	/** The last event that appends have skipped; null if there is none. */
	public @Nullable Long lastSkip() {
		return this.client.sql("select %s".formatted(this.lastSkip))
			.param("projector", this.projector)
			.query((row, number) -> Optional.ofNullable(row.getObject(1, Long.class)))
			.single()
			.orElse(null);
	}

	/**
	 * Whether the read model has all committed events, in one look: appends apply them,
	 * and have skipped none.
	 */
	public boolean hasAll() {
		return this.client.sql("""
				select exists (select from %s where projection_name = :projector and mode = 'INLINE')
				       and %s is null""".formatted(this.inline, this.lastSkip))
			.param("projector", this.projector)
			.query(Boolean.class)
			.single();
	}

	/** The skipped positions from one to another. A range of the primary key. */
	public Set<Long> skipped(long from, long to) {
		return new HashSet<>(this.client
			.sql("select global_position from %s where projection_name = ? and global_position between ? and ?"
				.formatted(this.skips))
			.param(this.projector)
			.param(from)
			.param(to)
			.query(Long.class)
			.list());
	}

	/** Whether appends by nodes without the projector are noticed. */
	public boolean isWatched() {
		return this.client.sql("""
				select exists (select from pg_trigger
				                where tgrelid = ?::regclass and tgname = 'eventing_inline'
				                  and tgenabled in ('O', 'A'))""").param(this.events).query(Boolean.class).single();
	}

	/** Whether sessions that append notice changes of what they remember. */
	public boolean isNoticed() {
		return this.client.sql("""
				select count(*) = 3 from pg_trigger
				 where tgname = 'inline_change' and tgenabled in ('O', 'A')
				   and tgrelid in (?::regclass, ?::regclass, ?::regclass)""")
			.param(this.inline)
			.param(this.skips)
			.param(this.controls)
			.query(Boolean.class)
			.single();
	}

	/** Makes all sessions that append read the tables again. */
	public void forgetAnswers() {
		this.changes.note();
	}

	/** Why {@link #watch} would fail whenever it is called; empty if it would not. */
	public String watchRefusal() {
		return this.client.sql("""
				select case when exists (select from pg_trigger where tgrelid = :events::regclass
				                            and tgname = 'eventing_inline')
				            then 'the trigger eventing_inline on the events is disabled'
				            when not has_table_privilege(:events::regclass, 'TRIGGER')
				            then 'role ' || quote_ident(current_user) || ' lacks the right TRIGGER on the events'
				            else '' end""").param("events", this.events).query(String.class).single();
	}

	/**
	 * Makes the trigger that notices appends. Waits for open appends, which would not be
	 * noticed, and gives up after a moment; so it is asked before whether it would be
	 * refused. The role needs the right TRIGGER on the events.
	 */
	public void watch() {
		this.jdbc.execute(LOCK_TIMEOUT);
		this.jdbc.execute(this.trigger);
	}

	/** Creates the row of a projector that follows, if there is none. */
	public void register(String code) {
		this.client
			.sql("insert into %s (projection_name, code) values (?, ?) on conflict (projection_name) do nothing"
				.formatted(this.inline))
			.param(this.projector)
			.param(code)
			.update();
	}

	/**
	 * Waits until no append is open that has asked for rows, and keeps others out until
	 * the transaction ends. They read the tables again then. Gives up after a moment.
	 * @throws org.springframework.dao.DataAccessException also if it gives up
	 */
	public void lock() {
		this.jdbc.execute(LIMITS);
		this.client.sql(this.lockSql).query((row) -> {
		});
		forgetAnswers();
	}

	/**
	 * From now on appends apply the events. Call it under the {@link #lock}, when all
	 * visible events are applied.
	 * @param handled what the handlers of the code handle
	 * @param after all events up to here are settled
	 * @param firstSkip no skip is before it
	 */
	public void turnInline(String code, String handled, long after, long firstSkip) {
		this.client.sql("""
				update %s set mode = 'INLINE', code = ?, handled = ?, turn = turn + 1, from_position = ?,
				       to_position = null, changed_at = clock_timestamp()
				 where projection_name = ?""".formatted(this.inline))
			.param(code)
			.param(handled)
			.param(after)
			.param(this.projector)
			.update();
		forgetSkips(firstSkip);
	}

	/**
	 * Deletes some skips of events that are settled, and needs no lock: such an event is
	 * not read again, and no append that is open has its position. The last skip stays,
	 * so that appends still skip the projector.
	 * @param after skips up to here are left alone
	 * @param settled all events up to here are settled
	 * @return the position of the last one that was deleted; 0 if none was
	 */
	public long forgetSkips(long after, long settled, int most) {
		// By the primary key. A look from the beginning would pass all rows that are
		// gone.
		return this.client.sql("""
				with last (position) as (
				  select global_position from %1$s where projection_name = :projector
				   order by global_position desc limit 1),
				gone as (
				  delete from %1$s where projection_name = :projector and global_position in (
				    select s.global_position from %1$s s
				     where s.projection_name = :projector and s.global_position > :after
				       and s.global_position <= :settled and s.global_position < (select position from last)
				     order by s.global_position limit :most)
				  returning global_position)
				select coalesce(max(global_position), 0) from gone""".formatted(this.skips))
			.param("projector", this.projector)
			.param("after", after)
			.param("settled", settled)
			.param("most", most)
			.query(Long.class)
			.single();
	}

	/**
	 * From now on appends that are inline apply the events again. Call it under the
	 * {@link #lock}, when all visible events are applied.
	 * @param after all events up to here are settled
	 * @param firstSkip no skip is before it
	 */
	public void heal(long after, long firstSkip) {
		this.client
			.sql("update %s set from_position = ?, changed_at = clock_timestamp() where projection_name = ?"
				.formatted(this.inline))
			.param(after)
			.param(this.projector)
			.update();
		forgetSkips(firstSkip);
	}

	/**
	 * Few are left: skips of settled events were deleted before. A look from the
	 * beginning would pass these while appends wait.
	 */
	private void forgetSkips(long first) {
		this.client.sql("delete from %s where projection_name = ? and global_position >= ?".formatted(this.skips))
			.param(this.projector)
			.param(first)
			.update();
	}

	/**
	 * From now on appends skip the projector. Takes the {@link #lock}. Does nothing if
	 * they do already.
	 * @param actor who does it, for the audit
	 * @param why for the audit
	 * @throws org.springframework.dao.DataAccessException also if appends stay open
	 */
	public void follow(String actor, String why) {
		lock();
		if (follow()) {
			audit(actor, ProjectionAction.FOLLOWING, why);
		}
	}

	private boolean follow() {
		return this.client.sql("""
				update %s set mode = 'FOLLOWING', changed_at = clock_timestamp(),
				       to_position = (select coalesce(max(global_position), 0) from %s)
				 where projection_name = ? and mode = 'INLINE'""".formatted(this.inline, this.events))
			.param(this.projector)
			.update() > 0;
	}

	/**
	 * Keeps the projector from being inline, or lets it. Needs no lock: appends that ask
	 * later skip it.
	 * @return whether that changed something
	 */
	public boolean demote(boolean demoted) {
		forgetAnswers();
		return this.client
			.sql("update %s set demoted = ? where projection_name = ? and demoted <> ?".formatted(this.inline))
			.param(demoted)
			.param(this.projector)
			.param(demoted)
			.update() > 0;
	}

	/** Records an action. */
	public void audit(String actor, ProjectionAction action, @Nullable String reason) {
		this.audit.add(this.projector, null, actor, action, reason, null);
	}

}
