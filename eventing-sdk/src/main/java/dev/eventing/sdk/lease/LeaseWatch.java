package dev.eventing.sdk.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Observes the leases that this node wants and other nodes own. One statement reads all
 * of them, so many standby leases cost no more than one. Thread-safe.
 *
 * <p>
 * An owner renews its row four times within the lease duration. If the row has not
 * changed for longer than the duration, by this node's clock, the owner no longer regards
 * the lease as current, whatever the database's clock shows: after a failover that clock
 * may be far behind the clock that set the expiry.
 */
final class LeaseWatch {

	/** A row that was read within this part of a duration is not read again. */
	private static final int FRESH_PER_DURATION = 20;

	/**
	 * A lease that no caller has asked about for this many durations is not read any
	 * more.
	 */
	private static final int KEPT_DURATIONS = 3;

	private final JdbcClient jdbc;

	private final Duration duration;

	private final String table;

	private final Map<String, Sight> sights = new HashMap<>();

	/** When a caller last asked about each lease, by {@link System#nanoTime}. */
	private final Map<String, Long> asked = new HashMap<>();

	LeaseWatch(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.jdbc = JdbcClient.create(dataSource);
		this.duration = options.duration();
		this.table = schema.table("leases");
	}

	/** The lease as it is now or was a moment ago; null if it has no row. */
	synchronized @Nullable Sight look(String name) {
		long now = System.nanoTime();
		this.asked.put(name, now);
		Sight sight = this.sights.get(name);
		if (sight == null || !isFresh(sight, now)) {
			this.asked.values().removeIf((at) -> now - at > KEPT_DURATIONS * this.duration.toNanos());
			this.sights.keySet().retainAll(this.asked.keySet());
			lookAtAll();
			sight = this.sights.get(name);
		}
		return sight;
	}

	private boolean isFresh(Sight sight, long now) {
		return now - sight.lookedAt() < this.duration.toNanos() / FRESH_PER_DURATION;
	}

	private void lookAtAll() {
		Set<String> found = new HashSet<>();
		// By the primary key, a row for each name.
		this.jdbc.sql("""
				select lease_name, owner, epoch, acquired_at, expires_at, duration_ms, token,
				       expires_at < clock_timestamp() from %s where lease_name in (:names)
				""".formatted(this.table)).param("names", this.asked.keySet()).query((row) -> {
			found.add(row.getString(1));
			see(row.getString(1), row(row));
		});
		// A lease whose row is gone has no owner any more.
		this.sights.keySet().retainAll(found);
	}

	private static Row row(ResultSet row) throws SQLException {
		return new Row(row.getString(2), row.getLong(3), row.getObject(4, OffsetDateTime.class),
				row.getObject(5, OffsetDateTime.class), Duration.ofMillis(row.getLong(6)), row.getObject(7, UUID.class),
				row.getBoolean(8));
	}

	private void see(String name, Row row) {
		long now = System.nanoTime();
		Sight before = this.sights.get(name);
		long since = (before != null && before.row().token().equals(row.token())
				&& before.row().expiresAt().equals(row.expiresAt())) ? before.since() : now;
		Duration patience = (row.duration().compareTo(this.duration) > 0) ? row.duration() : this.duration;
		this.sights.put(name, new Sight(row, since, now, now - since > patience.toNanos()));
	}

	/** The owner as read a moment ago, or null if the last read is older. */
	synchronized @Nullable LeaseHolder seen(String name) {
		Sight sight = this.sights.get(name);
		if (sight == null || !isFresh(sight, System.nanoTime())) {
			return null;
		}
		Row row = sight.row();
		return new LeaseHolder(row.owner(), row.epoch(), row.acquiredAt().toInstant(), row.expiresAt().toInstant());
	}

	/** Drops what is known of a lease, after an attempt to take it. */
	synchronized void forget(String name) {
		this.asked.remove(name);
		this.sights.remove(name);
	}

	/**
	 * A lease as this node read it.
	 *
	 * @param row the content of the row
	 * @param since since when the row has not changed, by {@link System#nanoTime}
	 * @param lookedAt when the row was read last
	 * @param stale whether the row has not changed for longer than the duration
	 */
	record Sight(Row row, long since, long lookedAt, boolean stale) {

		boolean isFree() {
			return this.stale || this.row.expired();
		}

	}

	/**
	 * The row of a lease.
	 *
	 * @param duration the lease duration that its owner uses
	 * @param token unique for each acquisition
	 * @param expired whether it has expired, by the database's clock
	 */
	record Row(String owner, long epoch, OffsetDateTime acquiredAt, OffsetDateTime expiresAt, Duration duration,
			UUID token, boolean expired) {
	}

}
