package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The leases of one application in the tables {@code leases} and {@code lease_epochs}.
 * Time is that of the database, so the clocks of the nodes need not agree. All that this
 * node holds is renewed by one statement, on a thread of its own, four times within their
 * duration. Thread-safe.
 *
 * <p>
 * Two rows make a lease. The owner renews the first. Its transactions hold the second, so
 * that renewing does not wait for them, but a new owner does.
 */
public final class Leases implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private static final int RENEWALS_PER_DURATION = 4;

	private final LeaseOptions options;

	private final JdbcTemplate jdbc;

	private final LeaseHolders holders;

	private final Takeover takeover;

	private final String table;

	private final String epochs;

	private final Map<String, Lease> held = new ConcurrentHashMap<>();

	private final SupervisedWorker renewing;

	private volatile boolean failing;

	/** Asks no database yet. */
	public Leases(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.options = options;
		this.jdbc = new JdbcTemplate(dataSource);
		this.holders = new LeaseHolders(dataSource, schema);
		this.table = schema.table("leases");
		this.epochs = schema.table("lease_epochs");
		this.renewing = SupervisedWorker.daemon("eventing-leases", this::renewNowAndThen);
		this.takeover = new Takeover(dataSource, schema, options);
	}

	/** How long a lease holds without being renewed. */
	public Duration duration() {
		return this.options.duration();
	}

	String node() {
		return this.options.node();
	}

	/**
	 * Tries once to get a lease, on the caller's thread. Waits for the last transactions
	 * of a former owner whose lease has expired; if they do not end within a moment,
	 * their connections are ended.
	 * @return the lease, or null if another node owns it
	 * @throws IllegalStateException if this node holds it already
	 * @throws DataAccessException if the database cannot be asked
	 */
	public @Nullable Lease tryAcquire(String name) {
		if (this.held.containsKey(name)) {
			throw new IllegalStateException("Lease '" + name + "' is held by this node already.");
		}
		long sentAt = System.nanoTime();
		OptionalLong epoch = this.takeover.attempt(name);
		if (epoch.isEmpty()) {
			return null;
		}
		Lease lease = new Lease(this, name, epoch.getAsLong(), sentAt + duration().toNanos());
		this.held.put(name, lease);
		this.renewing.start();
		logger.info("Lease '{}' is this node's, '{}', in epoch {}.", name, node(), lease.epoch());
		return lease;
	}

	private void renewNowAndThen() throws InterruptedException {
		while (!this.renewing.awaitStop(duration().dividedBy(RENEWALS_PER_DURATION))) {
			renewAll();
			this.renewing.beat();
		}
	}

	/**
	 * Who has the lease, or had it last; empty if nobody ever did.
	 * @throws DataAccessException if the database cannot be asked
	 */
	public Optional<LeaseHolder> holder(String name) {
		return this.holders.holder(name);
	}

	/** Locks the epoch against a new owner until the transaction ends. */
	boolean holdEpoch(String name, long epoch) {
		// By the primary key. A lock for share: many transactions of the owner hold it at
		// once, and an update of the row waits for all of them.
		List<Long> found = this.jdbc.queryForList(
				"select epoch from %s where lease_name = ? for share".formatted(this.epochs), Long.class, name);
		return found.size() == 1 && found.get(0) == epoch;
	}

	private void renewAll() {
		if (this.held.isEmpty()) {
			return;
		}
		Map<String, Lease> asked = Map.copyOf(this.held);
		long sentAt = System.nanoTime();
		try {
			Map<String, Long> renewed = renew(asked);
			asked.forEach((name, lease) -> {
				if (renewed.getOrDefault(name, 0L) == lease.epoch()) {
					lease.renewed(sentAt, duration());
				}
				else {
					lease.lose();
				}
			});
			this.failing = false;
		}
		catch (RuntimeException ex) {
			if (!this.failing) {
				this.failing = true;
				logger.warn("Leases {} are not renewed: {}. It is tried again in {} ms.", asked.keySet(),
						ex.getMessage(), duration().toMillis() / RENEWALS_PER_DURATION);
			}
		}
	}

	/** Also one that has expired, as long as nobody has taken it over. */
	private Map<String, Long> renew(Map<String, Lease> leases) {
		// By the primary key, a few rows.
		Map<String, Long> renewed = new ConcurrentHashMap<>();
		this.jdbc.query("""
				update %s set expires_at = clock_timestamp() + ? * interval '1 millisecond'
				 where lease_name = any(?) and owner = ?
				returning lease_name, epoch""".formatted(this.table), (statement) -> {
			statement.setLong(1, duration().toMillis());
			statement.setArray(2,
					statement.getConnection().createArrayOf("text", leases.keySet().toArray(String[]::new)));
			statement.setString(3, node());
		}, (row) -> {
			renewed.put(row.getString(1), row.getLong(2));
		});
		return renewed;
	}

	void forget(Lease lease) {
		this.held.remove(lease.name(), lease);
	}

	void released(Lease lease) {
		forget(lease);
		try {
			// By the primary key.
			this.jdbc.update("""
					update %s set expires_at = '-infinity' where lease_name = ? and owner = ? and epoch = ?
					""".formatted(this.table), lease.name(), node(), lease.epoch());
			logger.info("Lease '{}' of epoch {} is free again.", lease.name(), lease.epoch());
		}
		catch (DataAccessException ex) {
			logger.warn("Lease '{}' could not be given back and expires by itself within {}: {}", lease.name(),
					duration(), ex.getMessage());
		}
	}

	/** Gives back all that is still held. */
	@Override
	public void close() {
		List.copyOf(this.held.values()).forEach(Lease::release);
		this.renewing.interrupt();
	}

}
