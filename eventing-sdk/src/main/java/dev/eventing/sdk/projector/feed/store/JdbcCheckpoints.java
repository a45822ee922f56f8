package dev.eventing.sdk.projector.feed.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.ReplacedRows;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The position of a projector in the event store, in {@code projector_checkpoints}, how
 * far its events were handed out, in {@code projector_handouts}, and where it began, in
 * {@code projector_beginnings}. Every statement runs in the caller's transaction, at read
 * committed. A change replaces the row by one with the next revision. Every statement
 * reads the highest revision, at the end of the primary key, so rows that were replaced
 * cost nothing.
 */
public final class JdbcCheckpoints {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String checkpoints;

	private final String handouts;

	private final String beginnings;

	public JdbcCheckpoints(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.checkpoints = schema.table("projector_checkpoints");
		this.handouts = schema.table("projector_handouts");
		this.beginnings = schema.table("projector_beginnings");
	}

	/** The projector's name in the tables. */
	String name() {
		return this.projector;
	}

	/**
	 * Returns the stored position of the projector. Creates it for a new projector, which
	 * then reads after the given position.
	 */
	Row findOrBegin(long behind) {
		if (!exists()) {
			noteBeginning(behind);
		}
		ReplacedRows.update(this.jdbc, """
				insert into %1$s (projector_name, position)
				select ?, ? where (%2$s) is null
				on conflict (projector_name, revision) do nothing""".formatted(this.checkpoints,
				latest("revision", this.checkpoints)), this.projector, behind, this.projector);
		ReplacedRows.update(this.jdbc, """
				insert into %1$s (projector_name)
				select ? where (%2$s) is null
				on conflict (projector_name, revision) do nothing""".formatted(this.handouts,
				latest("revision", this.handouts)), this.projector, this.projector);
		return find().orElseThrow();
	}

	/**
	 * Records after which position the projector began: reconciliations leave out the
	 * events before it. By the primary key.
	 */
	public void noteBeginning(long behind) {
		this.jdbc.update("delete from %s where projector_name = ?".formatted(this.beginnings), this.projector);
		if (behind > 0) {
			this.jdbc.update("insert into %s (projector_name, position) values (?, ?)".formatted(this.beginnings),
					this.projector, behind);
		}
	}

	/** The position after which the projector began. By the primary key. */
	public long beginning() {
		return this.jdbc
			.queryForList("select position from %s where projector_name = ?".formatted(this.beginnings), Long.class,
					this.projector)
			.stream()
			.findFirst()
			.orElse(0L);
	}

	/** Returns the stored position of the projector. Empty if it has never run. */
	public Optional<Row> find() {
		return ReplacedRows
			.query(this.jdbc,
					"""
							select c.position, coalesce(h.handed_out, 0), coalesce(h.clean_stop, true)
							  from (%s) as c left join (%s) as h on true""".formatted(
							latest("position", this.checkpoints), latest("handed_out, clean_stop", this.handouts)),
					JdbcCheckpoints::row, this.projector, this.projector)
			.stream()
			.findFirst();
	}

	/** When the last events were handed out, or null. By the primary key. */
	@Nullable Instant handedOutAt() {
		return ReplacedRows
			.query(this.jdbc, latest("updated_at", this.handouts),
					(row, number) -> row.getObject(1, OffsetDateTime.class).toInstant(), this.projector)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private static Row row(ResultSet row, int number) throws SQLException {
		return new Row(row.getLong(1), row.getLong(2), row.getBoolean(3));
	}

	boolean exists() {
		return find().isPresent();
	}

	/**
	 * Returns the position and locks it. Waits for other transactions that move it, such
	 * as one whose commit was not answered. Returns 0 if the projector has no position.
	 */
	long lockedPosition() {
		List<Long> locked = lock();
		while (locked.isEmpty() && exists()) {
			// The transaction that moved it has committed; the next statement sees its
			// row.
			locked = lock();
		}
		return locked.isEmpty() ? 0 : locked.get(0);
	}

	private List<Long> lock() {
		return ReplacedRows.query(this.jdbc,
				"select position from %s where projector_name = ? and revision = (%s) for update"
					.formatted(this.checkpoints, latest("revision", this.checkpoints)),
				(row, number) -> row.getLong(1), this.projector, this.projector);
	}

	/**
	 * Moves the position from the known position.
	 * @param handedOut the recorded {@code handed_out}; if the database has a smaller
	 * one, it has lost commits, and other events may have these positions now
	 * @throws SetBackException if the database has another position or a smaller
	 * {@code handed_out}
	 */
	void move(long known, long wanted, long handedOut) {
		int moved = ReplacedRows.update(this.jdbc, """
				with gone as (
				  delete from %1$s where projector_name = ? and revision = (%2$s) and position = ? and (%3$s) >= ?
				  returning projector_name, revision)
				insert into %1$s (projector_name, revision, position)
				select projector_name, revision + 1, ? from gone""".formatted(this.checkpoints,
				latest("revision", this.checkpoints), latest("handed_out", this.handouts)), this.projector,
				this.projector, known, this.projector, handedOut, wanted);
		if (moved == 0) {
			throw SetBackException.moved(this.projector, known, wanted);
		}
	}

	/** Creates the row of a projector that reads after a position. */
	public void begin(long behind) {
		findOrBegin(0); // it has settled the events before, too
		moveTo(behind);
	}

	/** Deletes the row. */
	public void forget() {
		this.jdbc.update("delete from %s where projector_name = ?".formatted(this.checkpoints), this.projector);
		this.jdbc.update("delete from %s where projector_name = ?".formatted(this.handouts), this.projector);
	}

	/**
	 * Moves the position, from wherever it is. If that is back, the projector reads all
	 * events after it again.
	 */
	public void moveTo(long to) {
		replace("""
				with gone as (
				  delete from %1$s where projector_name = ? and revision = (%2$s) returning projector_name, revision)
				insert into %1$s (projector_name, revision, position)
				select projector_name, revision + 1, ? from gone""".formatted(this.checkpoints,
				latest("revision", this.checkpoints)), this.projector, this.projector, to);
		replace(handout("?, clean_stop", ""), this.projector, this.projector, to);
	}

	/**
	 * Records that handlers may begin events up to this position. The commit does not
	 * wait for the disk. If the database's machine crashes, the next owner may not
	 * recognise these events as suspects.
	 * @param known what this node has recorded
	 * @throws SetBackException if the database has less than that
	 */
	void handOut(long known, long upTo) {
		if (replace("set local synchronous_commit to off;\n" + handout("?, false", " and handed_out >= ?"),
				this.projector, this.projector, known, upTo) == 0) {
			throw SetBackException.handout(this.projector, known);
		}
	}

	void stopInOrder() {
		replace(handout("handed_out, true", ""), this.projector, this.projector);
	}

	/**
	 * Replaces the row of the handouts.
	 * @param values the new {@code handed_out} and {@code clean_stop}
	 * @param condition what the row must fulfil besides
	 */
	private String handout(String values, String condition) {
		return """
				with gone as (
				  delete from %1$s where projector_name = ? and revision = (%2$s)%4$s
				  returning projector_name, revision, handed_out, clean_stop)
				insert into %1$s (projector_name, revision, handed_out, clean_stop)
				select projector_name, revision + 1, %3$s from gone""".formatted(this.handouts,
				latest("revision", this.handouts), values, condition);
	}

	/**
	 * Runs a statement that replaces a row. It changes nothing if it has waited for
	 * another transaction that replaced the row, such as one whose commit was not
	 * answered. Then it runs once more, and sees the new row.
	 */
	private int replace(String sql, Object... arguments) {
		int replaced = ReplacedRows.update(this.jdbc, sql, arguments);
		return (replaced > 0) ? replaced : ReplacedRows.update(this.jdbc, sql, arguments);
	}

	private static String latest(String columns, String table) {
		return ReplacedRows.latest(columns, table, "projector_name");
	}

	/**
	 * The stored position of a projector.
	 *
	 * @param position all events up to this position are settled
	 * @param handedOut handlers may have begun events up to this position
	 * @param cleanStop whether the last owner stopped cleanly
	 */
	public record Row(long position, long handedOut, boolean cleanStop) {

		static final Row NONE = new Row(0, 0, false);

	}

}
