package dev.eventing.sdk.idempotency;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The events that each projector has applied, in the table {@code processed_events}.
 * Thread-safe.
 */
public final class ProcessedEvents {

	/** The characters of a UUID and a comma. */
	private static final int UUID_LENGTH = 37;

	private final JdbcTemplate jdbc;

	private final String claim;

	private final String differing;

	private final String applied;

	private final String unclaim;

	/**
	 * Does not access the database yet.
	 * @param jdbc uses the DataSource in whose transactions the handlers run
	 * @param schema the schema of the tables
	 * @param held the events that no claim gets
	 */
	public ProcessedEvents(JdbcTemplate jdbc, EventingSchema schema, HeldEvents held) {
		this.jdbc = jdbc;
		// The primary key is the lock: this statement waits while another transaction
		// inserts the same id, and returns the row only if that transaction rolls back.
		// All claims take their locks in sorted order, so two claims with the same ids
		// cannot deadlock. If the primary key is missing, the conflict target makes the
		// statement fail; idempotency is not lost silently. A scalar subquery, because
		// PostgreSQL never plans it as a join: one lookup per event. "not exists" reads
		// all letters of the projector if there are many: 30 ms instead of 1 ms for 500
		// events. The first condition checks once whether the projector has any letters.
		// If all events are fresh, as a rule, one row says so.
		this.claim = """
				with claimed as (
				insert into %1$s (projector_name, event_id, tenant_id, content_digest)
				select ?, u.event_id, u.tenant_id, u.digest
				  from unnest(?::uuid[], ?::text[], ?::integer[]) as u (event_id, tenant_id, digest)
				 where not %2$s
				    or %3$s is not true
				 order by u.event_id, u.tenant_id
				on conflict (projector_name, event_id, tenant_id) do nothing
				returning event_id, tenant_id)
				select n.claimed, c.event_id, c.tenant_id
				  from (select count(*) as claimed from claimed) n left join claimed c on n.claimed < ?
				""".formatted(schema.table("processed_events"), held.any("?"),
				held.isHeld("?", "u.tenant_id", "u.event_id"));
		// A scalar subquery for the same reason: one lookup per event by the primary key.
		this.differing = """
				select u.event_id, u.tenant_id
				  from unnest(?::uuid[], ?::text[], ?::integer[]) as u (event_id, tenant_id, digest)
				 where (select p.content_digest <> u.digest
				          from %s p
				         where p.projector_name = ?
				           and p.event_id = u.event_id
				           and p.tenant_id = u.tenant_id)
				""".formatted(schema.table("processed_events"));
		// One lookup by the primary key.
		this.applied = """
				select exists (select from %s where projector_name = ? and event_id = ? and tenant_id = ?)
				""".formatted(schema.table("processed_events"));
		this.unclaim = "delete from %s where projector_name = ? and event_id = ? and tenant_id = ?"
			.formatted(schema.table("processed_events"));
	}

	/**
	 * Marks the events as applied by the projector, and returns those that it has not
	 * applied before. Must be the first change in the caller's transaction. The effects
	 * of the returned events must follow in the same transaction: both commit together,
	 * and a rollback or a crash leaves neither. Waits, without a time-out of its own,
	 * while another transaction holds one of the events. One round trip for any number of
	 * events.
	 * @param projector the projector
	 * @param events in any order; repeated ones count once
	 * @return those to apply now. The others were applied before, or have a dead letter
	 * that is parked or redriving.
	 * @throws WrongTransactionException if no transaction is active on the connection
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Set<EventKey> claim(ProjectorId projector, Collection<EventKey> events) {
		Map<EventKey, @Nullable Integer> keys = new LinkedHashMap<>();
		events.forEach((event) -> keys.put(event, null));
		return claim(projector, keys);
	}

	/**
	 * Claims as {@link #claim(ProjectorId, Collection)} does, and stores
	 * {@link ContentDigest digests} of the events' content for {@link #differing}.
	 * @param events the digest of each event, or null
	 * @return a view of the map if all are to be applied
	 */
	public Set<EventKey> claim(ProjectorId projector, Map<EventKey, @Nullable Integer> events) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw outsideTransaction(projector, "none is active on this thread");
		}
		if (events.isEmpty()) {
			return Set.of();
		}
		ResultSetExtractor<Set<EventKey>> fresh = (rows) -> claimed(rows, events.keySet());
		return this.jdbc.query((connection) -> statement(connection, projector, events), fresh);
	}

	/**
	 * The events that the projector applied with a different content. Does not contain
	 * events that were applied without a digest.
	 * @param projector the projector
	 * @param digests the digests of the events to compare
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Set<EventKey> differing(ProjectorId projector, Map<EventKey, @Nullable Integer> digests) {
		if (digests.isEmpty()) {
			return Set.of();
		}
		return this.jdbc.<Set<EventKey>>query((connection) -> {
			PreparedStatement statement = connection.prepareStatement(this.differing);
			setEvents(statement, 1, digests);
			statement.setString(4, projector.inColumn());
			return statement;
		}, ProcessedEvents::keys);
	}

	/**
	 * Whether a committed transaction applied the event. Does not see transactions that
	 * are still open: only a claim is decisive.
	 * @param projector the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public boolean isApplied(ProjectorId projector, EventKey event) {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(this.applied, Boolean.class, projector.inColumn(),
				event.eventId(), event.tenantId().value()));
	}

	/**
	 * Removes the {@link #claim claims} of the caller's transaction on these events. The
	 * events stay locked until the transaction ends.
	 * @param projector the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public void unclaim(ProjectorId projector, Collection<EventKey> events) {
		// By the primary key.
		this.jdbc.batchUpdate(this.unclaim, events, Math.max(1, events.size()), (statement, event) -> {
			statement.setString(1, projector.inColumn());
			statement.setObject(2, event.eventId());
			statement.setString(3, event.tenantId().value());
		});
	}

	private static WrongTransactionException outsideTransaction(ProjectorId projector, String why) {
		return WrongTransactionException.outside("Projector '" + projector + "' claims events", why);
	}

	private PreparedStatement statement(Connection connection, ProjectorId projector,
			Map<EventKey, @Nullable Integer> events) throws SQLException {
		// A transaction of another DataSource leaves this connection as the pool lends
		// it.
		if (connection.getAutoCommit()) {
			throw outsideTransaction(projector, "the active one belongs to another DataSource");
		}
		PreparedStatement statement = connection.prepareStatement(this.claim);
		statement.setString(1, projector.inColumn());
		setEvents(statement, 2, events);
		statement.setString(5, projector.inColumn());
		statement.setString(6, projector.inColumn());
		statement.setInt(7, events.size());
		return statement;
	}

	private static void setEvents(PreparedStatement statement, int index, Map<EventKey, @Nullable Integer> events)
			throws SQLException {
		Connection connection = statement.getConnection();
		// The driver, too, sends an array of UUIDs as text, but copies and checks each
		// character to quote it.
		StringBuilder eventIds = new StringBuilder(UUID_LENGTH * events.size() + 2).append('{');
		String[] tenantIds = new String[events.size()];
		@Nullable Integer[] contents = new @Nullable Integer[events.size()];
		int at = 0;
		for (Map.Entry<EventKey, @Nullable Integer> event : events.entrySet()) {
			eventIds.append((at > 0) ? "," : "").append(event.getKey().eventId());
			tenantIds[at] = event.getKey().tenantId().value();
			contents[at] = event.getValue();
			at++;
		}
		statement.setString(index, eventIds.append('}').toString());
		statement.setArray(index + 1, connection.createArrayOf("text", tenantIds));
		statement.setArray(index + 2, connection.createArrayOf("int4", contents));
	}

	/** Each row has the number of claimed events, and one of them if not all are. */
	private static Set<EventKey> claimed(ResultSet rows, Set<EventKey> events) throws SQLException {
		Set<EventKey> claimed = new HashSet<>();
		while (rows.next()) {
			int number = rows.getInt(1);
			if (number == 0 || number == events.size()) {
				return (number == 0) ? Set.of() : events;
			}
			claimed.add(new EventKey(TenantId.of(rows.getString(3)), rows.getObject(2, UUID.class)));
		}
		return claimed;
	}

	private static Set<EventKey> keys(ResultSet rows) throws SQLException {
		Set<EventKey> keys = new HashSet<>();
		while (rows.next()) {
			keys.add(new EventKey(TenantId.of(rows.getString(2)), rows.getObject(1, UUID.class)));
		}
		return keys;
	}

}
