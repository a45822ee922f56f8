package dev.eventing.sdk.projector.transaction;

import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.ledger.MendedLetters;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The events that a generation has applied from a stream, in {@code projection_claims}. A
 * stream may have an event twice, under two sequences, which no position of a lane shows.
 * Every statement runs in the caller's transaction. Thread-safe.
 */
public final class FillingClaims {

	private final JdbcOperations jdbc;

	private final ProjectorId generation;

	/** The name under which the generation has its dead letters. */
	private final ProjectorId own;

	private final @Nullable Long switchedBy;

	private final String claim;

	private final String unclaim;

	/**
	 * Sends no query yet.
	 * @param own the name under which the generation has its dead letters
	 */
	public FillingClaims(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation, ProjectorId own,
			SourceStream stream) {
		this.jdbc = jdbc;
		this.generation = generation;
		this.own = own;
		this.switchedBy = stream.switchedBy();
		this.claim = claim(schema);
		this.unclaim = "delete from %s where projection_name = ? and generation = ? and event_id = ? and tenant_id = ?"
			.formatted(schema.table("projection_claims"));
	}

	private static String claim(EventingSchema schema) {
		// The primary key is the lock, and locks are taken in sorted order, as in
		// ProcessedEvents. A generation that was live has settled what the live one had
		// claimed before it took its place: that is older than the switch, counted in
		// transactions (xmin has the last 32 bits of their numbers), whatever the clock
		// did. Both compare with the present. One lookup per event by primary keys. The
		// switch itself claims what the live one has applied in place of a message
		// without
		// a tenant; if this one has not, it applies the event when it comes again.
		return """
				insert into %s (projection_name, generation, event_id, tenant_id)
				select ?, ?, u.event_id, u.tenant_id
				  from unnest(?::uuid[], ?::text[]) as u (event_id, tenant_id)
				 where %s is not true
				   and (select (n.next - p.xmin::text::bigint) & 4294967295 >= n.next - ?::bigint
				               and not %s
				          from %s p cross join
				               (select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next offset 0) n
				         where p.projector_name = ? and p.event_id = u.event_id and p.tenant_id = u.tenant_id) is not true
				 order by u.event_id, u.tenant_id
				on conflict (projection_name, generation, event_id, tenant_id) do nothing
				returning event_id, tenant_id"""
			.formatted(schema.table("projection_claims"),
					new OpenLetters(schema).isHeld("?", "u.tenant_id", "u.event_id"),
					MendedLetters.isOnlyLive(schema, "?", "?", "u.tenant_id", "u.event_id"),
					schema.table("processed_events"));
	}

	/**
	 * Claims events before they are applied in this transaction.
	 * @return those to apply now; the others were applied before, or have an open letter
	 */
	public Set<EventKey> claim(Collection<EventKey> events) {
		Set<EventKey> claimed = new HashSet<>();
		if (events.isEmpty()) {
			return claimed;
		}
		this.jdbc.query(this.claim, (row) -> {
			claimed
				.add(new EventKey(TenantId.of(row.getString(2)), Objects.requireNonNull(row.getObject(1, UUID.class))));
		}, this.generation.base(), this.generation.generation(),
				events.stream().map(EventKey::eventId).toArray(UUID[]::new),
				events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new), this.own.inColumn(),
				this.switchedBy, this.own.inColumn(), this.generation.base(), this.generation.base());
		return claimed;
	}

	/** Removes the claims of this transaction. */
	public void unclaim(Collection<EventKey> events) {
		// By the primary key.
		this.jdbc.batchUpdate(this.unclaim, events, Math.max(1, events.size()), (statement, event) -> {
			statement.setString(1, this.generation.base());
			statement.setInt(2, this.generation.generation());
			statement.setObject(3, event.eventId());
			statement.setString(4, event.tenantId().value());
		});
	}

	/** Returns those of these events that a generation has applied from the stream. */
	public static Set<EventKey> applied(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation,
			Collection<EventKey> events) {
		Set<EventKey> applied = new HashSet<>();
		// One lookup per event by the primary key.
		jdbc.query("""
				select u.event_id, u.tenant_id
				  from unnest(?::uuid[], ?::text[]) as u (event_id, tenant_id)
				 where (select true from %s c
				         where c.projection_name = ? and c.generation = ? and c.event_id = u.event_id
				           and c.tenant_id = u.tenant_id)""".formatted(schema.table("projection_claims")), (row) -> {
			applied
				.add(new EventKey(TenantId.of(row.getString(2)), Objects.requireNonNull(row.getObject(1, UUID.class))));
		}, events.stream().map(EventKey::eventId).toArray(UUID[]::new),
				events.stream().map((event) -> event.tenantId().value()).toArray(String[]::new), generation.base(),
				generation.generation());
		return applied;
	}

	/**
	 * Claims events that a generation has applied while it was live, and that the next
	 * one has not, so that it does not apply them once more.
	 */
	public static void keep(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation,
			Collection<EventKey> events) {
		// By the primary key.
		jdbc.batchUpdate("""
				insert into %s (projection_name, generation, event_id, tenant_id) values (?, ?, ?, ?)
				on conflict (projection_name, generation, event_id, tenant_id) do nothing"""
			.formatted(schema.table("projection_claims")), events, Math.max(1, events.size()), (statement, event) -> {
				statement.setString(1, generation.base());
				statement.setInt(2, generation.generation());
				statement.setObject(3, event.eventId());
				statement.setString(4, event.tenantId().value());
			});
	}

	/**
	 * Claims the events of open letters of the next generation that this one has applied
	 * while it was live. Call it before the letters are exchanged. It loads no letter:
	 * there may be very many, and the caller's transaction holds locks.
	 * @return the number of claims that are new
	 */
	public static int keepAppliedBut(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation,
			ProjectorId next) {
		return jdbc.update(
				"""
						insert into %s (projection_name, generation, event_id, tenant_id)
						select ?, ?, e.event_id, e.tenant_id from (%s) e
						on conflict (projection_name, generation, event_id, tenant_id) do nothing"""
					.formatted(schema.table("projection_claims"), RebuiltLetters.appliedBut(schema, "?", "?")),
				generation.base(), generation.generation(), next.inColumn(), generation.base());
	}

	/** Deletes all claims of a generation, which is to be filled from the beginning. */
	public static void forget(JdbcOperations jdbc, EventingSchema schema, ProjectorId generation) {
		// By the primary key.
		jdbc.update("delete from %s where projection_name = ? and generation = ?"
			.formatted(schema.table("projection_claims")), generation.base(), generation.generation());
	}

	/**
	 * Deletes some claims of generations that are not filled or fed any more.
	 * @return the number of deleted claims; 0 if none are left
	 */
	public static int sweep(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		// By the primary keys: the number of each generation that has claims, then the
		// claims of some. The order keeps PostgreSQL from reading the claims of a
		// generation
		// that is fed, which may be millions.
		return jdbc.update("""
				delete from %1$s where ctid = any (array(
				  with recursive claimed (generation) as (
				    select min(generation) from %1$s where projection_name = ?
				    union all
				    select (select min(c.generation) from %1$s c
				             where c.projection_name = ? and c.generation > claimed.generation)
				      from claimed where claimed.generation is not null)
				  select gone.ctid
				    from claimed cross join lateral (
				      select c.ctid from %1$s c
				       where c.projection_name = ? and c.generation = claimed.generation
				       order by c.event_id, c.tenant_id limit 10000) gone
				   where claimed.generation not in (select p.generation from %2$s p
				          where p.projection_name = ? and p.status in ('FILLING', 'BUILDING', 'READY', 'STANDBY'))
				   limit 10000))""".formatted(schema.table("projection_claims"), schema.table("projections")),
				projector.base(), projector.base(), projector.base(), projector.base());
	}

}
