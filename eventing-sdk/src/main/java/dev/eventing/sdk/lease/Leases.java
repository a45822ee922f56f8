package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.BrokenTransactions;
import dev.eventing.sdk.jdbc.BrokenTransactions.Session;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The leases of one application, in the tables {@code leases} and {@code lease_epochs}.
 * Expiry uses the database's clock, so the clocks of the nodes need not agree. One
 * statement renews all leases of this node four times within their duration, on a
 * separate thread and connection. Thread-safe.
 *
 * <p>
 * A lease has a row in each of the two tables. The owner renews the row in
 * {@code leases}. The owner's transactions lock the row in {@code lease_epochs}. So
 * renewals do not wait for these transactions, but a new owner does.
 */
public final class Leases implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Leases.class);

	private static final int RENEWALS_PER_DURATION = 4;

	private static final Duration SHORTEST_WAIT = Duration.ofSeconds(5);

	private final LeaseOptions options;

	private final JdbcTemplate jdbc;

	private final LeaseHolders holders;

	private final Takeover takeover;

	private final Renewals renewals;

	private final BrokenTransactions broken;

	private final String hold;

	private final EventingSchema schema;

	private final Map<String, Lease> held = new ConcurrentHashMap<>();

	private final SupervisedWorker renewing;

	private volatile boolean failing;

	/** As the other constructor, for nodes that share no work without a lease. */
	public Leases(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this(dataSource, schema, options, List.of());
	}

	/**
	 * Does not access the database yet.
	 * @param shared the tables, as SQL, on which transactions of work that nodes share
	 * without a lease hold locks, see {@link #watch}
	 */
	public Leases(DataSource dataSource, EventingSchema schema, LeaseOptions options, List<String> shared) {
		this.options = options;
		this.schema = schema;
		this.jdbc = new JdbcTemplate(dataSource);
		DataSource bounded = BoundedDataSource.of(dataSource, longestWait(options));
		this.holders = new LeaseHolders(bounded, schema);
		this.renewals = new Renewals(dataSource, schema, options, shared);
		this.broken = new BrokenTransactions(dataSource);
		this.hold = "select epoch, token from %s where lease_name = ? for share"
			.formatted(schema.table("lease_epochs"));
		this.renewing = SupervisedWorker.daemon("eventing-leases", this::renewNowAndThen);
		this.takeover = new Takeover(bounded, schema, options);
	}

	/**
	 * The longest wait of a node that asks for a lease: a takeover may have to wait for
	 * transactions of the former owner.
	 */
	private static Duration longestWait(LeaseOptions options) {
		return (options.duration().compareTo(SHORTEST_WAIT) > 0) ? options.duration() : SHORTEST_WAIT;
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.renewing.stalls(longest);
	}

	/** How long a lease is valid without renewal. */
	public Duration duration() {
		return this.options.duration();
	}

	/** The name of this node, by which leases name their owner. */
	public String node() {
		return this.options.node();
	}

	/**
	 * Tries once to acquire a lease, on the caller's thread. Waits for open transactions
	 * of a former owner whose lease has expired. Terminates their connections if they do
	 * not end within a quarter of the lease duration.
	 * @return the lease, or null if another node owns it
	 * @throws IllegalStateException if this node holds it already
	 * @throws DataAccessException if the database does not answer
	 */
	public @Nullable Lease tryAcquire(String name) {
		if (this.held.containsKey(name)) {
			throw new IllegalStateException("Lease '" + name + "' is held by this node already.");
		}
		long sentAt = System.nanoTime();
		Grant grant = this.takeover.attempt(name);
		if (grant == null) {
			return null;
		}
		Lease lease = new Lease(new Held(), name, grant, sentAt + duration().toNanos());
		this.held.put(name, lease);
		this.renewing.start();
		logger.info("Lease '{}' is acquired by this node, '{}', in epoch {}.", name, node(), lease.epoch());
		return lease;
	}

	private void renewNowAndThen() throws InterruptedException {
		Duration every = duration().dividedBy(RENEWALS_PER_DURATION);
		long next = System.nanoTime() + every.toNanos();
		try {
			// A renewal that took longer than the pause is followed by the next one
			// immediately, while the lease is still valid.
			while (!this.renewing.awaitStop(Duration.ofNanos(next - System.nanoTime()))) {
				next = System.nanoTime() + every.toNanos();
				renewAll();
				this.renewing.beat();
			}
		}
		finally {
			if (this.renewing.isStopping()) {
				this.renewals.rest();
			}
		}
	}

	/**
	 * The current or last owner of the lease, read now or by an attempt a moment ago;
	 * empty if it never had an owner.
	 * @throws DataAccessException if the database does not answer
	 */
	public Optional<LeaseHolder> holder(String name) {
		LeaseHolder seen = this.takeover.seen(name);
		return (seen != null && seen.epoch() > 0) ? Optional.of(seen) : this.holders.holder(name);
	}

	/**
	 * How long the lease is still valid unless its owner renews it, as the last attempt
	 * of this node found. Null if that is over, or not known.
	 */
	@Nullable Duration left(String name) {
		return this.takeover.left(name);
	}

	/**
	 * For work that several nodes share without a lease. If the connection of such a
	 * transaction breaks after the transaction has changed a table of shared work, this
	 * node terminates the session on the server. Otherwise the session might hold its
	 * locks for hours.
	 * @return to be run at the beginning of each transaction, on its thread
	 */
	public Runnable watch() {
		this.renewing.start();
		return this.broken::join;
	}

	private boolean holdEpoch(String name, Grant grant) {
		this.broken.join();
		// By the primary key. A share lock: many transactions of the owner can hold it at
		// the same time, and an update of the row waits for all of them.
		List<Grant> found = this.jdbc.query(this.hold,
				(row, number) -> new Grant(row.getLong(1), row.getObject(2, UUID.class)), name);
		return found.equals(List.of(grant));
	}

	private void renewAll() {
		Map<String, Lease> asked = Map.copyOf(this.held);
		try {
			if (!asked.isEmpty()) {
				renew(asked.values());
			}
			endBroken();
			if (asked.isEmpty()) {
				this.renewals.rest();
			}
			this.failing = false;
		}
		catch (RuntimeException ex) {
			asked.values().forEach((lease) -> lease.notRenewed(duration()));
			if (!this.failing) {
				this.failing = true;
				logger.warn("Leases {} are not renewed: {}. They are retried in {} ms.", asked.keySet(),
						DatabaseFailure.describe(ex), duration().toMillis() / RENEWALS_PER_DURATION);
			}
		}
	}

	private void renew(Collection<Lease> asked) {
		long sentAt = System.nanoTime();
		Set<UUID> renewed = this.renewals.renew(asked);
		List<Lease> others = asked.stream().filter((lease) -> !renewed.contains(lease.grant().token())).toList();
		Set<UUID> locked = others.isEmpty() ? Set.of() : this.renewals.present(others);
		asked.forEach((lease) -> {
			if (renewed.contains(lease.grant().token())) {
				lease.renewed(sentAt, duration());
			}
			else if (!locked.contains(lease.grant().token())) {
				lease.lose();
			}
		});
	}

	/**
	 * Terminates sessions whose connection broke: they may hold locks that the next owner
	 * waits for.
	 */
	private void endBroken() {
		List<Session> sessions = this.broken.take();
		if (sessions.isEmpty()) {
			return;
		}
		try {
			int ended = this.renewals.end(sessions);
			if (ended > 0) {
				logger.warn(
						"{} transactions of this node had lost their connections, and are terminated on the server.",
						ended);
			}
		}
		catch (DataAccessException ex) {
			this.broken.putBack(sessions);
			logger.debug("Sessions {} are not terminated on the server now; this is retried.", sessions, ex);
		}
	}

	/**
	 * Removes a lease in the caller's transaction, for good: its work is over. Waits for
	 * the owner's open transactions, as long as statements may wait. The owner loses it.
	 * @param caller for the caller's transaction
	 */
	public void remove(String lease, JdbcOperations caller) {
		// By the primary keys.
		caller.update("delete from %s where lease_name = ?".formatted(this.schema.table("lease_epochs")), lease);
		caller.update("delete from %s where lease_name = ?".formatted(this.schema.table("leases")), lease);
	}

	/**
	 * The leases whose names begin so, whether anyone owns them or not.
	 * @param caller for the caller's transaction
	 */
	public List<String> startingWith(String prefix, JdbcOperations caller) {
		// Both tables are small: a row for each piece of work of the applications.
		return caller.queryForList("""
				select lease_name from %s where starts_with(lease_name, ?)
				union select lease_name from %s where starts_with(lease_name, ?)"""
			.formatted(this.schema.table("leases"), this.schema.table("lease_epochs")), String.class, prefix, prefix);
	}

	private void forget(Lease lease) {
		this.held.remove(lease.name(), lease);
	}

	private void released(Collection<Lease> leases) {
		leases.forEach(this::forget);
		try {
			this.renewals.release(leases);
			leases.forEach((lease) -> logger.info("Lease '{}' of epoch {} is released.", lease.name(), lease.epoch()));
		}
		catch (DataAccessException ex) {
			logger.warn("Leases {} could not be released and expire within {} ms: {}", leases, duration().toMillis(),
					DatabaseFailure.describe(ex));
		}
	}

	/** Releases all leases that this node still holds. */
	@Override
	public void close() {
		List<Lease> left = this.held.values().stream().filter(Lease::end).toList();
		if (!left.isEmpty()) {
			released(left);
		}
		this.renewing.interrupt();
		this.renewals.rest();
	}

	/** What a lease asks. */
	private final class Held implements Lease.Keeper {

		@Override
		public String node() {
			return Leases.this.node();
		}

		@Override
		public boolean holdEpoch(String name, Grant grant) {
			return Leases.this.holdEpoch(name, grant);
		}

		@Override
		public void released(Lease lease) {
			Leases.this.released(List.of(lease));
		}

		@Override
		public void lost(Lease lease) {
			forget(lease);
		}

	}

}
