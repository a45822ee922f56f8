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
 * What this node sees of the leases it asks for and does not get. One statement looks at
 * all of them, so that many that stand by cost no more than one. Thread-safe.
 *
 * <p>
 * An owner renews its row four times within its duration. One whose row was the same for
 * longer than that, by this node's own clock, cannot believe any more that it owns the
 * lease, whatever the clock of the database says: after a failover that may be far behind
 * the one which set the end.
 */
final class LeaseWatch {

	/** What was seen within this part of a duration is not looked at again. */
	private static final int FRESH_PER_DURATION = 20;

	/** Who has not been asked about for so many durations is not looked at any more. */
	private static final int KEPT_DURATIONS = 3;

	private final JdbcClient jdbc;

	private final Duration duration;

	private final String table;

	private final Map<String, Sight> sights = new HashMap<>();

	/** When each was asked about last, by {@link System#nanoTime}. */
	private final Map<String, Long> asked = new HashMap<>();

	LeaseWatch(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.jdbc = JdbcClient.create(dataSource);
		this.duration = options.duration();
		this.table = schema.table("leases");
	}

	/** The lease as it is, or was a moment ago; null if nobody ever had it. */
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
		// A lease whose row is gone is nobody's, whoever had it when it was seen last.
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

	/** What was seen of it a moment ago, or null. */
	synchronized @Nullable LeaseHolder seen(String name) {
		Sight sight = this.sights.get(name);
		if (sight == null || !isFresh(sight, System.nanoTime())) {
			return null;
		}
		Row row = sight.row();
		return new LeaseHolder(row.owner(), row.epoch(), row.acquiredAt().toInstant(), row.expiresAt().toInstant());
	}

	/** This node has it, or somebody was quicker. */
	synchronized void forget(String name) {
		this.asked.remove(name);
		this.sights.remove(name);
	}

	/**
	 * A lease as it was seen.
	 *
	 * @param row what is written
	 * @param since since when it was the same, by {@link System#nanoTime}
	 * @param lookedAt when it was looked at
	 * @param stale whether nobody can have renewed it for its duration
	 */
	record Sight(Row row, long since, long lookedAt, boolean stale) {

		boolean isFree() {
			return this.stale || this.row.expired();
		}

	}

	/**
	 * What is written of a lease.
	 *
	 * @param duration how long its owner believes that it holds
	 * @param token differs between any two grants
	 * @param expired whether its time is over, by the database's clock
	 */
	record Row(String owner, long epoch, OffsetDateTime acquiredAt, OffsetDateTime expiresAt, Duration duration,
			UUID token, boolean expired) {
	}

}
