package dev.eventing.sdk.lease;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Observes the leases that this node wants and other nodes own. One statement reads all
 * of them, so many standby leases cost no more than one. A read that hangs holds up only
 * its own thread. Thread-safe.
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

	/** Held by the thread that reads all leases. */
	private final ReentrantLock reader = new ReentrantLock();

	private final Map<String, Sight> sights = new HashMap<>();

	/** When a caller last asked about each lease, by {@link System#nanoTime}. */
	private final Map<String, Long> asked = new HashMap<>();

	LeaseWatch(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.jdbc = JdbcClient.create(dataSource);
		this.duration = options.duration();
		this.table = schema.table("leases");
	}

	/**
	 * The lease as it is now or was a moment ago; null if it has no row. One thread reads
	 * all leases, and others wait for it: but no longer than a sight is fresh, after
	 * which each reads its own lease.
	 */
	@Nullable Sight look(String name) {
		synchronized (this) {
			this.asked.put(name, System.nanoTime());
		}
		boolean forAll = isNextReader();
		try {
			Sight sight = fresh(name);
			if (sight != null) {
				return sight;
			}
			read(forAll ? names() : Set.of(name));
		}
		finally {
			if (forAll) {
				this.reader.unlock();
			}
		}
		synchronized (this) {
			return this.sights.get(name);
		}
	}

	private boolean isNextReader() {
		try {
			return this.reader.tryLock(fresh().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private Duration fresh() {
		return this.duration.dividedBy(FRESH_PER_DURATION);
	}

	private synchronized @Nullable Sight fresh(String name) {
		Sight sight = this.sights.get(name);
		return (sight != null && sight.isYounger(fresh())) ? sight : null;
	}

	/** The leases that callers have asked about lately. */
	private synchronized Set<String> names() {
		long now = System.nanoTime();
		this.asked.values().removeIf((at) -> now - at > KEPT_DURATIONS * this.duration.toNanos());
		this.sights.keySet().retainAll(this.asked.keySet());
		return Set.copyOf(this.asked.keySet());
	}

	/** Without the monitor: if the database does not answer, other threads go on. */
	private void read(Set<String> names) {
		long begun = System.nanoTime();
		Map<String, Row> rows = new HashMap<>();
		// By the primary key, a row for each name.
		this.jdbc.sql("""
				select lease_name, owner, epoch, acquired_at, expires_at, duration_ms, token,
				       expires_at < clock_timestamp(),
				       case when isfinite(expires_at)
				            then extract(epoch from expires_at - clock_timestamp()) * 1000 end
				  from %s where lease_name in (:names)
				""".formatted(this.table)).param("names", names).query((row) -> {
			rows.put(row.getString(1), row(row));
		});
		synchronized (this) {
			names.stream()
				.filter((name) -> this.asked.containsKey(name) && !isSeenSince(name, begun))
				.forEach((name) -> see(name, rows.get(name), begun));
		}
	}

	/** Whether another thread has read it after this one began. */
	private boolean isSeenSince(String name, long begun) {
		Sight sight = this.sights.get(name);
		return sight != null && sight.lookedAt() - begun > 0;
	}

	/** A lease whose row is gone has no owner any more. */
	private void see(String name, @Nullable Row row, long begun) {
		if (row == null) {
			this.sights.remove(name);
			return;
		}
		long now = System.nanoTime();
		Sight before = this.sights.get(name);
		long since = (before != null && before.row().token().equals(row.token())
				&& before.row().expiresAt().equals(row.expiresAt())) ? before.since() : now;
		Duration patience = (row.duration().compareTo(this.duration) > 0) ? row.duration() : this.duration;
		this.sights.put(name, new Sight(row, since, now, begun - since > patience.toNanos()));
	}

	private static Row row(ResultSet row) throws SQLException {
		return new Row(row.getString(2), row.getLong(3), row.getObject(4, OffsetDateTime.class),
				row.getObject(5, OffsetDateTime.class), Duration.ofMillis(row.getLong(6)), row.getObject(7, UUID.class),
				row.getBoolean(8), Duration.ofMillis(row.getLong(9)));
	}

	/** The owner as read a moment ago, or null if the last read is older. */
	@Nullable LeaseHolder seen(String name) {
		Sight sight = fresh(name);
		if (sight == null) {
			return null;
		}
		Row row = sight.row();
		return new LeaseHolder(row.owner(), row.epoch(), row.acquiredAt().toInstant(), row.expiresAt().toInstant());
	}

	/**
	 * How long the lease is still valid as it was read last, unless it is renewed. Null
	 * if that is over, or nothing was read.
	 */
	synchronized @Nullable Duration left(String name) {
		Sight sight = this.sights.get(name);
		Duration left = (sight != null) ? sight.left() : Duration.ZERO;
		return (left.compareTo(Duration.ZERO) > 0) ? left : null;
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

		/** Also one that has expired since then is too old. */
		private boolean isYounger(Duration age) {
			return System.nanoTime() - this.lookedAt < age.toNanos()
					&& (this.row.expired() || left().compareTo(Duration.ZERO) > 0);
		}

		private Duration left() {
			return this.row.left().minusNanos(System.nanoTime() - this.lookedAt);
		}

	}

	/**
	 * The row of a lease.
	 *
	 * @param duration the lease duration that its owner uses
	 * @param token unique for each acquisition
	 * @param expired whether it has expired, by the database's clock
	 * @param left how long it is still valid, by the database's clock
	 */
	record Row(String owner, long epoch, OffsetDateTime acquiredAt, OffsetDateTime expiresAt, Duration duration,
			UUID token, boolean expired, Duration left) {
	}

}
