package dev.eventing.sdk.projection.ledger;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Finds the position of the event store up to which a read model of the past is to be
 * filled. Every statement runs in the caller's transaction, which is at read committed.
 * Thread-safe.
 */
public final class PastPosition {

	/**
	 * Appends that overlap may record their times in another order than they draw their
	 * positions. This many events behind the found one are looked at, too.
	 */
	private static final int OVERLAP = 10_000;

	private final JdbcClient jdbc;

	private final String events;

	private final String reads;

	/** Sends no query yet. */
	public PastPosition(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.events = schema.table("events");
		// By primary keys. Of two places the later one counts.
		this.reads = """
				select source from (
				  select 'STORE' as source, c.updated_at from %s c where c.projector_name = :projector
				  union all
				  select 'STREAM', p.updated_at from %s p where p.projector_name = :projector) place
				 order by updated_at desc limit 1""".formatted(schema.table("projector_checkpoints"),
				schema.table("projector_positions"));
	}

	/** The source of a projector's live generation; empty if it has read nothing. */
	Optional<Source> source(String projector) {
		return this.jdbc.sql(this.reads)
			.param("projector", projector)
			.query((row, number) -> Source.valueOf(row.getString(1)))
			.optional();
	}

	/** Looks where it is now. A later look may find another position for a time. */
	public Found find(Until until) {
		return (until instanceof Until.Time then) ? at(then.time()) : at(((Until.Position) until).position());
	}

	private Found at(long position) {
		// By the primary key.
		long head = this.jdbc.sql("select coalesce(max(global_position), 0) from %s".formatted(this.events))
			.query(Long.class)
			.single();
		return (position <= head) ? new Found(position, null, false) : Found.refused("Position " + position
				+ " is beyond the end of the event store, which is at " + head + ". Consider a position up to there.");
	}

	private Found at(Instant time) {
		Instant now = this.jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
		if (time.isAfter(now)) {
			return Found.refused(time + " is in the future: the clock of the database is at " + now + ".");
		}
		Place place = place(time);
		if (place.next() == null) {
			// An event of that time may not be visible yet, and no later event shows
			// where that time ends.
			if (isAppending()) {
				return new Found(0, "Transactions are appending that may have begun before " + time
						+ ", and no later event is there yet.", true);
			}
			place = place(time);
		}
		if (place.last() == 0) {
			return Found.refused("No event was recorded at " + time + " or before it.");
		}
		// What commits late between the two is of that time.
		return new Found((place.next() != null) ? place.next() - 1 : place.last(), null, false);
	}

	/**
	 * Times grow with positions, except with appends that overlap, or a clock that was
	 * set back. So the range is halved again and again: at most 63 look-ups by the
	 * primary key, and one of the events behind the one that was found.
	 */
	private Place place(Instant time) {
		return this.jdbc
			.sql("""
					with recursive halved (low, high) as (
					  select 0::bigint, (select coalesce(max(global_position), 0) + 1 from %1$s)
					  union all
					  select case when found.recorded_at <= :time then found.global_position else h.low end,
					         case when found.recorded_at <= :time then h.high else h.low + (h.high - h.low) / 2 end
					    from halved h
					    left join lateral (select e.global_position, e.recorded_at from %1$s e
					                        where e.global_position >= h.low + (h.high - h.low) / 2
					                          and e.global_position < h.high
					                        order by e.global_position limit 1) found on true
					   where h.high - h.low > 1),
					edge (position) as (select max(low) from halved),
					last (position) as materialized (
					  select greatest(edge.position,
					                  (select max(behind.global_position)
					                     from (select e.global_position, e.recorded_at from %1$s e
					                            where e.global_position > edge.position
					                            order by e.global_position limit %2$s) behind
					                    where behind.recorded_at <= :time))
					    from edge)
					select last.position, (select min(e.global_position) from %1$s e where e.global_position > last.position)
					  from last"""
				.formatted(this.events, OVERLAP))
			.param("time", time.atOffset(ZoneOffset.UTC))
			.query((row, number) -> new Place(row.getLong(1), row.getObject(2, Long.class)))
			.single();
	}

	/**
	 * Whether a transaction may hold positions whose rows are not visible yet. Each takes
	 * this lock before it draws one, and keeps it until it ends. Reads no table.
	 */
	private boolean isAppending() {
		return this.jdbc
			.sql("""
					select exists (select from pg_locks l
					                where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
					                  and l.database = (select d.oid from pg_database d where d.datname = current_database())
					                  and l.relation = '%s'::regclass)"""
				.formatted(this.events))
			.query(Boolean.class)
			.single();
	}

	/**
	 * Where a time lies among the visible events.
	 *
	 * @param last the position of the last event that was recorded by then; 0 if none was
	 * @param next that of the first event behind it, or null
	 */
	private record Place(long last, @Nullable Long next) {
	}

	/** The sources of projectors. */
	enum Source {

		/** The event store. */
		STORE,

		/** A stream, of which the database knows too little. */
		STREAM

	}

	/**
	 * The position that was found.
	 *
	 * @param position the position, if there is no refusal
	 * @param refusal why there is none, or null
	 * @param isTemporary whether a later look may find one
	 */
	public record Found(long position, @Nullable String refusal, boolean isTemporary) {

		private static Found refused(String why) {
			return new Found(0, why, false);
		}

	}

}
