package dev.eventing.sdk.projector.feed.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.projector.CheckpointMovedException;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * How far a projector is in the event store, in {@code projector_checkpoints}. Every
 * statement goes by the primary key, in the caller's transaction.
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

	/** Where the projector is; one that has never run is put behind a position. */
	Row findOrBegin(long behind) {
		this.jdbc.update("""
				insert into %s (projector_name, position) values (?, ?)
				on conflict (projector_name) do nothing""".formatted(this.table), this.projector, behind);
		return find().orElseThrow();
	}

	/** Where the projector is; empty for one that has never run. */
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
	 * The position, once no other transaction is about to move it: one whose commit was
	 * in doubt may still be.
	 */
	long lockedPosition() {
		return Objects.requireNonNull(this.jdbc.queryForObject(
				"select position from %s where projector_name = ? for update".formatted(this.table), Long.class,
				this.projector));
	}

	/**
	 * Moves the position from where it is known to be.
	 * @param handedOut up to where events were handed out: a database that does not know
	 * of that has lost these events, or others are there now
	 * @throws CheckpointMovedException if it is not there
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

	/** Everything behind a position is to be read again. */
	void goBack(long to) {
		this.jdbc.update("update %s set position = ?, handed_out = ?, updated_at = now() where projector_name = ?"
			.formatted(this.table), to, to, this.projector);
	}

	/**
	 * Notes that handlers may begin events up to here. Need not survive a crash of the
	 * database's machine: then nobody knows which events were under way.
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
	 * What is known of a projector's place.
	 *
	 * @param position up to which everything is settled
	 * @param handedOut up to which handlers may have begun
	 * @param cleanStop whether the last owner stopped in order
	 */
	public record Row(long position, long handedOut, boolean cleanStop) {

		static final Row NONE = new Row(0, 0, false);

	}

}
