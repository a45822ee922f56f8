package dev.eventing.sdk.projector.feed.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.projector.CheckpointMovedException;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The position of a projector in the event store, in {@code projector_checkpoints}. Every
 * statement uses the primary key and runs in the caller's transaction.
 */
public final class JdbcCheckpoints {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcCheckpoints(JdbcOperations jdbc, EventingSchema schema, String projector) {
		this.jdbc = jdbc;
		this.projector = projector;
		this.table = schema.table("projector_checkpoints");
	}

	/**
	 * Returns the row of the projector. Creates it for a new projector, which then reads
	 * after the given position.
	 */
	Row findOrBegin(long behind) {
		this.jdbc.update("""
				insert into %s (projector_name, position) values (?, ?)
				on conflict (projector_name) do nothing""".formatted(this.table), this.projector, behind);
		return find().orElseThrow();
	}

	/** Returns the row of the projector. Empty if it has never run. */
	public Optional<Row> find() {
		return this.jdbc
			.query("select position, handed_out, clean_stop from %s where projector_name = ?".formatted(this.table),
					JdbcCheckpoints::row, this.projector)
			.stream()
			.findFirst();
	}

	private static Row row(ResultSet row, int number) throws SQLException {
		return new Row(row.getLong(1), row.getLong(2), row.getBoolean(3));
	}

	boolean exists() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(
				"select exists (select from %s where projector_name = ?)".formatted(this.table), Boolean.class,
				this.projector));
	}

	/**
	 * Returns the position and locks it. Waits for other transactions that move it, such
	 * as one whose commit was not answered.
	 */
	long lockedPosition() {
		return Objects.requireNonNull(this.jdbc.queryForObject(
				"select position from %s where projector_name = ? for update".formatted(this.table), Long.class,
				this.projector));
	}

	/**
	 * Moves the position from the known position.
	 * @param handedOut the recorded {@code handed_out}; if the database has a smaller
	 * one, it has lost commits, and other events may have these positions now
	 * @throws CheckpointMovedException if the database has another position or a smaller
	 * {@code handed_out}
	 */
	void move(long known, long wanted, long handedOut) {
		int moved = this.jdbc.update("""
				update %s set position = ?, updated_at = now()
				 where projector_name = ? and position = ? and handed_out >= ?""".formatted(this.table), wanted,
				this.projector, known, handedOut);
		if (moved == 0) {
			throw new CheckpointMovedException(this.projector, known, wanted);
		}
	}

	/** Moves the position back. The projector reads all events after it again. */
	void goBack(long to) {
		this.jdbc.update("update %s set position = ?, handed_out = ?, updated_at = now() where projector_name = ?"
			.formatted(this.table), to, to, this.projector);
	}

	/**
	 * Records that handlers may begin events up to this position. The commit does not
	 * wait for the disk. If the database's machine crashes, the next owner may not
	 * recognise these events as suspects.
	 */
	void handOut(long upTo) {
		this.jdbc.update("""
				set local synchronous_commit to off;
				update %s set handed_out = ?, clean_stop = false, updated_at = now()
				 where projector_name = ?""".formatted(this.table), upTo, this.projector);
	}

	void stopInOrder() {
		this.jdbc.update(
				"update %s set clean_stop = true, updated_at = now() where projector_name = ?".formatted(this.table),
				this.projector);
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
