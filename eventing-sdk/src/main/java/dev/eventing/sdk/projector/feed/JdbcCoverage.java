package dev.eventing.sdk.projector.feed;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.nats.SubjectFilters;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The subjects of a projector, the events that it skipped, and since when it has handlers
 * for which types, in {@code projector_coverage}. A projector has few rows. Every
 * statement uses the primary key and runs in the caller's transaction.
 */
public final class JdbcCoverage {

	static final int LONGEST_NAME = 512;

	private final JdbcOperations jdbc;

	private final String projector;

	private final String table;

	public JdbcCoverage(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.inColumn();
		this.table = schema.table("projector_coverage");
	}

	/**
	 * Returns the rows of the stream and locks them until the caller's transaction ends.
	 * Uses an advisory lock, because there may be no row yet.
	 */
	List<Row> findAndLock(String stream) {
		lock(stream);
		return find(stream);
	}

	/** Whether skipped events of the stream are handled now. */
	public boolean isCatchingUp(String stream) {
		return find(stream).stream().anyMatch((row) -> row.catchingUp() || row.settledTo() != null);
	}

	/** Gives another projector the same rows of the stream, in place of its own. */
	public void copyTo(JdbcCoverage other, String stream) {
		other.lock(stream);
		lock(stream);
		other.delete(stream);
		this.jdbc.update("""
				insert into %1$s (projector_name, stream, kind, name, passed_from, catching_up, settled_to)
				select ?, stream, kind, name, passed_from, catching_up, settled_to
				  from %1$s where projector_name = ? and stream = ?""".formatted(this.table), other.projector,
				this.projector, stream);
	}

	/** Deletes the rows of the stream, so that the projector begins anew. */
	public void forget(String stream) {
		lock(stream);
		delete(stream);
	}

	private void delete(String stream) {
		this.jdbc.update("delete from %s where projector_name = ? and stream = ?".formatted(this.table), this.projector,
				stream);
	}

	/**
	 * Records that a version has handlers for events of these types. Up to the position
	 * no version has handled any, unless an earlier row has a smaller one.
	 */
	void handles(String stream, Collection<String> types, long behind) {
		types.stream()
			.filter((type) -> type.length() <= LONGEST_NAME)
			.forEach((type) -> this.jdbc.update("""
					insert into %s as c (projector_name, stream, kind, name, passed_from)
					values (?, ?, 'HANDLED', ?, ?)
					on conflict (projector_name, stream, kind, name) do update
					   set passed_from = excluded.passed_from where c.passed_from > excluded.passed_from"""
				.formatted(this.table), this.projector, stream, type, behind));
	}

	/**
	 * Returns the position of the event store up to which no version has handled an event
	 * of this type; 0 if that is not known.
	 */
	public long unhandledTo(String type) {
		return this.jdbc.query("""
				select coalesce(min(case when stream = ? then passed_from else 0 end), 0)
				  from %s where projector_name = ? and kind = 'HANDLED' and name in (?, ?)""".formatted(this.table),
				(row, number) -> row.getLong(1), EventPlace.EVENT_STORE, this.projector, type, HandlerMethod.ANY_TYPE)
			.get(0);
	}

	/**
	 * Begins anew with the subjects that another projector, or this one, listens to or
	 * has listened to, and of which all events are read again.
	 * @param isHeard whether a subject has a handler now; events of others are skipped
	 */
	public void beginLike(JdbcCoverage other, String stream, Predicate<String> isHeard) {
		List<Row> rows = other.findAndLock(stream)
			.stream()
			.filter(Row::isSubject)
			.map((row) -> Row.covered(row.name()).passed(isHeard.test(row.name()) ? null : 0L, false))
			.toList();
		forget(stream);
		replace(stream, rows);
	}

	/** Deletes the rows of all streams, because the projector is gone. */
	public void forgetAll() {
		this.jdbc.update("delete from %s where projector_name = ?".formatted(this.table), this.projector);
	}

	private void lock(String stream) {
		this.jdbc.query("select pg_advisory_xact_lock(hashtextextended(?, 0))", (row) -> {
		}, this.table + ' ' + this.projector + ' ' + stream);
	}

	/**
	 * Returns these subjects and those to which any version of the projector has listened
	 * on the stream, without those that another one covers.
	 */
	public Set<String> subjectsWith(Set<String> others, String stream) {
		Set<String> subjects = new LinkedHashSet<>(others);
		find(stream).stream().filter(Row::isSubject).map(Row::name).forEach(subjects::add);
		return SubjectFilters.minimal(subjects);
	}

	public List<Row> find(String stream) {
		return this.jdbc.query("""
				select kind, name, passed_from, catching_up, settled_to
				  from %s where projector_name = ? and stream = ? and kind <> 'HANDLED'
				 order by kind, name""".formatted(this.table), JdbcCoverage::row, this.projector, stream);
	}

	private static Row row(ResultSet row, int number) throws SQLException {
		return new Row(Kind.valueOf(row.getString(1)), row.getString(2), (Long) row.getObject(3), row.getBoolean(4),
				(Long) row.getObject(5));
	}

	/**
	 * Replaces the rows of subjects and skipped types of the stream. The caller has
	 * {@link #findAndLock locked} the stream, and derived the new rows from the rows it
	 * found.
	 */
	void replace(String stream, Collection<Row> rows) {
		this.jdbc.update(
				"delete from %s where projector_name = ? and stream = ? and kind <> 'HANDLED'".formatted(this.table),
				this.projector, stream);
		rows.forEach((row) -> this.jdbc.update("""
				insert into %s (projector_name, stream, kind, name, passed_from, catching_up, settled_to)
				values (?, ?, ?, ?, ?, ?, ?)""".formatted(this.table), this.projector, stream, row.kind().name(),
				row.name(), row.passedFrom(), row.catchingUp(), row.settledTo()));
	}

	/**
	 * Records that events of a type are skipped after this sequence, or after the
	 * recorded one if that is smaller. Waits for a transaction that replaces the rows.
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

	/** The kind of a row. */
	enum Kind {

		/**
		 * A subject filter to which a version of the projector listens or has listened.
		 */
		SUBJECT,

		/**
		 * A subject filter, and an event type that is skipped on it because no handler
		 * takes it.
		 */
		TYPE

	}

	/**
	 * The record of a subject or a type.
	 *
	 * @param passedFrom the sequence after which its events were skipped; null if none
	 * were
	 * @param catchingUp whether the skipped events are handled now: from the projector's
	 * position up to {@code settledTo}
	 * @param settledTo all events up to this sequence are settled, except skipped ones,
	 * although the projector's position may be smaller; null if it is not
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

		/** What it records of a stream that ends with this sequence. */
		Row endingWith(long last) {
			return new Row(this.kind, this.name, capped(this.passedFrom, last), this.catchingUp,
					capped(this.settledTo, last));
		}

		private static @Nullable Long capped(@Nullable Long sequence, long last) {
			return (sequence != null) ? (Long) Math.min(sequence, last) : null;
		}

		/**
		 * Returns the name of a skipped type. The space is unambiguous, because a filter
		 * contains none.
		 */
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
