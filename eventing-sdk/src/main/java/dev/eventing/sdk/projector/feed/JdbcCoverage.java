package dev.eventing.sdk.projector.feed;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * What the handlers of a projector were given, and what was passed over, in
 * {@code projector_coverage}. A handful of rows per projector; every statement goes by
 * the primary key, in the caller's transaction.
 */
public final class JdbcCoverage {

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcCoverage(JdbcOperations jdbc, EventingSchema schema, String projector) {
		this.jdbc = jdbc;
		this.projector = projector;
		this.table = schema.table("projector_coverage");
	}

	/**
	 * What is known of the stream, which nobody else changes until the caller's
	 * transaction ends. A lock of its own, since there may be no row yet.
	 */
	List<Row> findAndLock(String stream) {
		lock(stream);
		return find(stream);
	}

	private void lock(String stream) {
		this.jdbc.query("select pg_advisory_xact_lock(hashtextextended(?, 0))", (row) -> {
		}, this.table + ' ' + this.projector + ' ' + stream);
	}

	public List<Row> find(String stream) {
		return this.jdbc.query("""
				select kind, name, passed_from, catching_up, settled_to
				  from %s where projector_name = ? and stream = ? order by kind, name""".formatted(this.table),
				JdbcCoverage::row, this.projector, stream);
	}

	private static Row row(ResultSet row, int number) throws SQLException {
		return new Row(Kind.valueOf(row.getString(1)), row.getString(2), (Long) row.getObject(3), row.getBoolean(4),
				(Long) row.getObject(5));
	}

	/**
	 * Puts these in the place of all that is known of the stream. The caller has
	 * {@link #findAndLock locked} it and worked them out from what it found.
	 */
	void replace(String stream, Collection<Row> rows) {
		this.jdbc.update("delete from %s where projector_name = ? and stream = ?".formatted(this.table), this.projector,
				stream);
		rows.forEach((row) -> this.jdbc.update("""
				insert into %s (projector_name, stream, kind, name, passed_from, catching_up, settled_to)
				values (?, ?, ?, ?, ?, ?, ?)""".formatted(this.table), this.projector, stream, row.kind().name(),
				row.name(), row.passedFrom(), row.catchingUp(), row.settledTo()));
	}

	/**
	 * Notes that events of a type are passed over from here on, or from where they were.
	 * Waits for who replaces what is known.
	 */
	public void skipped(String stream, String name, long behind) {
		lock(stream);
		this.jdbc.update("""
				insert into %s as c (projector_name, stream, kind, name, passed_from)
				values (?, ?, 'TYPE', ?, ?)
				on conflict (projector_name, stream, kind, name) do update
				   set passed_from = least(c.passed_from, excluded.passed_from)""".formatted(this.table),
				this.projector, stream, name, behind);
	}

	/** What a row is about. */
	enum Kind {

		/** A subject filter that a version of the projector listens to, or did. */
		SUBJECT,

		/** A subject filter and an event type that no handler there takes. */
		TYPE

	}

	/**
	 * What is known of a subject or a type.
	 *
	 * @param passedFrom events of it behind this were passed over; null for none
	 * @param catchingUp whether these are being handled now: from where the projector
	 * stands, up to {@code settledTo}
	 * @param settledTo up to here all was settled that was not passed over, though the
	 * projector may stand before it; null where it does not
	 */
	public record Row(Kind kind, String name, @Nullable Long passedFrom, boolean catchingUp, @Nullable Long settledTo) {

		static Row covered(String subject) {
			return new Row(Kind.SUBJECT, subject, null, false, null);
		}

		Row passed(@Nullable Long from, boolean catching) {
			return new Row(this.kind, this.name, from, catching, this.settledTo);
		}

		Row settledTo(@Nullable Long upTo) {
			return new Row(this.kind, this.name, this.passedFrom, this.catchingUp, upTo);
		}

		/** How a skipped type is named: a filter holds no space. */
		static String nameOf(String subject, String type) {
			return subject + ' ' + type;
		}

		boolean isSubject() {
			return this.kind == Kind.SUBJECT;
		}

		String subject() {
			return isSubject() ? this.name : this.name.substring(0, this.name.indexOf(' '));
		}

		String type() {
			return this.name.substring(this.name.indexOf(' ') + 1);
		}

	}

}
