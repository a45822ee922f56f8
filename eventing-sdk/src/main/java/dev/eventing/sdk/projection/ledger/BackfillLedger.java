package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.projection.BackfillProgress;
import dev.eventing.sdk.schema.ErasureLock;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The backfills that have begun, in {@code projection_backfills}, and which of their
 * events are settled out of order, in {@code projection_backfill_events}. Every statement
 * runs in the caller's transaction, or alone if it only reads. Thread-safe.
 */
public final class BackfillLedger {

	private final JdbcClient jdbc;

	private final JdbcOperations operations;

	private final ErasureLock erasures;

	private final String requests;

	private final String backfills;

	private final String settled;

	/** Sends no query yet. */
	public BackfillLedger(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.operations = jdbc;
		this.erasures = new ErasureLock(schema);
		this.requests = schema.table("projection_requests");
		this.backfills = schema.table("projection_backfills");
		this.settled = schema.table("projection_backfill_events");
	}

	/** How far a backfill is; empty before it has begun. By the primary keys. */
	Optional<BackfillProgress> progress(long request) {
		return this.jdbc.sql("""
				select b.events, b.from_position, b.position, b.up_to, r.begun_at, b.updated_at
				  from %s b join %s r on r.request_id = b.request_id
				 where b.request_id = ?""".formatted(this.backfills, this.requests))
			.param(request)
			.query((row, number) -> new BackfillProgress(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4),
					instant(row, 5), instant(row, 6)))
			.optional();
	}

	/** The backfill of a projector that is under way. By the indexes of requests. */
	public Optional<Backfilling> open(String projector) {
		return this.jdbc.sql("""
				select b.request_id, b.types, r.handler, b.from_position, b.up_to, b.held_from, b.position,
				       b.handed_out, b.events, r.rate, r.begun_at
				  from %s r join %s b on b.request_id = r.request_id
				 where r.projection_name = ? and r.status = 'PENDING'""".formatted(this.requests, this.backfills))
			.param(projector)
			.query((row, number) -> new Backfilling(row.getLong(1), Set.of((String[]) row.getArray(2).getArray()),
					row.getString(3), new Backfilling.Range(row.getLong(4), row.getLong(5), row.getLong(6)),
					new Backfilling.Place(row.getLong(7), row.getLong(8), row.getLong(9)),
					row.getObject(10, Integer.class), instant(row, 11)))
			.optional();
	}

	/**
	 * Whether a backfill of one of these types began before a time. By the index of
	 * requests; a projector has few.
	 */
	public boolean hasBegunBefore(String projector, String[] types, Instant time) {
		return this.jdbc
			.sql("""
					select exists (
					  select from %s r join %s b on b.request_id = r.request_id
					   where r.projection_name = ? and b.types && ?::text[] and r.begun_at < ?)"""
				.formatted(this.requests, this.backfills))
			.param(projector)
			.param(types)
			.param(time.atOffset(ZoneOffset.UTC))
			.query(Boolean.class)
			.single();
	}

	/** Whether a backfill is still open. By the primary key. */
	public boolean isOpen(long request) {
		return this.jdbc
			.sql("select exists (select from %s where request_id = ? and status = 'PENDING')".formatted(this.requests))
			.param(request)
			.query(Boolean.class)
			.single();
	}

	/**
	 * Records that a backfill has begun. Its request does not expire any more. Deletes
	 * what earlier backfills of the projector have left.
	 * @param detail what it does, for operators
	 */
	public void begin(String projector, Backfilling begun, String detail) {
		this.erasures.share(this.operations);
		this.jdbc.sql("""
				delete from %s where request_id in (
				  select request_id from %s where projection_name = ?)""".formatted(this.settled, this.backfills))
			.param(projector)
			.update();
		this.jdbc.sql("""
				update %s set begun_at = clock_timestamp(), detail = :detail
				 where request_id = :request and status = 'PENDING'""".formatted(this.requests))
			.param("detail", StorableText.of(detail))
			.param("request", begun.request())
			.update();
		this.jdbc
			.sql("""
					insert into %s (request_id, projection_name, types, from_position, up_to, held_from, position,
					                handed_out)
					values (:request, :projector, :types, :from, :upTo, :heldFrom, :from, :from)"""
				.formatted(this.backfills))
			.param("request", begun.request())
			.param("projector", projector)
			.param("types", begun.types().stream().sorted().toArray(String[]::new))
			.param("from", begun.range().from())
			.param("upTo", begun.range().upTo())
			.param("heldFrom", begun.range().heldFrom())
			.update();
	}

	/** Records that handlers may begin events up to this position. */
	public void handOut(long request, long upTo) {
		this.jdbc
			.sql("update %s set handed_out = greatest(handed_out, ?) where request_id = ?".formatted(this.backfills))
			.param(upTo)
			.param(request)
			.update();
	}

	/**
	 * Saves how far a backfill is, and deletes what its position makes superfluous.
	 * @param place its position, and up to where handlers have begun events
	 */
	public void save(long request, Backfilling.Place place) {
		this.jdbc.sql("""
				update %s set position = :position, handed_out = :handedOut, events = :events,
				       updated_at = clock_timestamp()
				 where request_id = :request and position <= :position""".formatted(this.backfills))
			.param("position", place.position())
			.param("handedOut", place.handedOut())
			.param("events", place.events())
			.param("request", request)
			.update();
		this.jdbc.sql("delete from %s where request_id = ? and global_position <= ?".formatted(this.settled))
			.param(request)
			.param(place.position())
			.update();
	}

	/**
	 * Records events as settled. Waits for another transaction that does so.
	 * @return those that were not settled before
	 */
	public Set<Long> settle(long request, Collection<Long> positions) {
		// In the order of the key, so that two transactions cannot deadlock.
		return new HashSet<>(this.jdbc.sql("""
				insert into %s (request_id, global_position)
				select ?, p from unnest(?::bigint[]) p order by p
				on conflict (request_id, global_position) do nothing
				returning global_position""".formatted(this.settled))
			.param(request)
			.param(sorted(positions))
			.query(Long.class)
			.list());
	}

	/** Takes back what this transaction has recorded as settled. */
	public void unsettle(long request, Collection<Long> positions) {
		this.jdbc
			.sql("delete from %s where request_id = ? and global_position = any (?::bigint[])".formatted(this.settled))
			.param(request)
			.param(sorted(positions))
			.update();
	}

	/** Forgets which events of a backfill are settled, because it has ended. */
	public void forget(long request) {
		this.jdbc.sql("delete from %s where request_id = ?".formatted(this.settled)).param(request).update();
	}

	private static Long[] sorted(Collection<Long> positions) {
		return List.copyOf(positions).stream().sorted().toArray(Long[]::new);
	}

	private static Instant instant(ResultSet row, int column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

}
