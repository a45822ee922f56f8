package dev.eventing.sdk.lease;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.lease.LeaseWatch.Sight;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Takes a lease that is free or has expired. The new epoch is written after all
 * transactions that hold the old one have ended. Transactions of a frozen process or a
 * lost machine could last for hours, so their connections are terminated after a quarter
 * of the lease duration. PostgreSQL allows this among connections of one role. A session
 * that waits for these transactions, too, is left alone. Thread-safe.
 */
final class Takeover {

	private static final Logger logger = LoggerFactory.getLogger(Takeover.class);

	/** Transactions of a former owner may still take this part of the lease duration. */
	private static final int GRACES_PER_DURATION = 4;

	private final JdbcTemplate jdbc;

	private final SeparateTransactions transactions;

	private final LeaseOptions options;

	private final String table;

	private final String epochs;

	/**
	 * The sessions that are in the way of a backend, and not only before it in the line.
	 */
	private final String inTheWay;

	private final LeaseWatch watch;

	Takeover(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.transactions = new SeparateTransactions(dataSource);
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.options = options;
		this.table = schema.table("leases");
		this.epochs = schema.table("lease_epochs");
		this.inTheWay = inTheWay(this.epochs);
		this.watch = new LeaseWatch(dataSource, schema, options);
	}

	/**
	 * Reads no table, only the server's memory. Who waits for a row, and is the next to
	 * get it, has a lock on the tuple.
	 */
	private static String inTheWay(String epochs) {
		String waits = "l.relation = '%s'::regclass and (not l.granted or l.locktype = 'tuple')".formatted(epochs);
		return """
				with recursive line (pid) as (
				  select unnest(pg_blocking_pids(?))
				  union
				  select b.pid from line w cross join lateral unnest(pg_blocking_pids(w.pid)) b (pid)
				   where exists (select from pg_locks l where l.pid = w.pid and %2$s))
				select p.pid from line p left join pg_stat_activity a on a.pid = p.pid
				 where (a.xact_start > clock_timestamp() - ? * interval '1 millisecond') is not true
				   and exists (select from pg_locks l where l.pid = p.pid and l.relation = '%1$s'::regclass and l.granted)
				   and not exists (select from pg_locks l where l.pid = p.pid and %2$s)"""
			.formatted(epochs, waits);
	}

	/**
	 * Tries once to take the lease. Returns null if another node owns it, or if
	 * transactions of the former owner are still open.
	 */
	@Nullable Grant attempt(String name) {
		Sight sight = this.watch.look(name);
		if (sight != null && !sight.isFree()) {
			return null;
		}
		if (sight == null) {
			this.transactions.write(() -> {
				register(name);
				return null;
			});
		}
		try {
			Optional<Grant> grant = this.transactions.write(() -> {
				endIfThisNodeStandsStill();
				Optional<Grant> taken = take(name, sight);
				taken.ifPresent((mine) -> fence(name, mine));
				return taken;
			});
			this.watch.forget(name);
			return grant.orElse(null);
		}
		catch (QueryTimeoutException ex) {
			logger.warn("Lease '{}' is not taken over yet: transactions of its former owner are still open.", name);
			return null;
		}
	}

	/**
	 * Others skip a row that this node is taking, and nobody owns the lease meanwhile. So
	 * the server ends the transaction of a node that is frozen in between.
	 */
	private void endIfThisNodeStandsStill() {
		this.jdbc.execute(
				"set local idle_in_transaction_session_timeout = " + Math.max(1, this.options.duration().toMillis()));
	}

	/** The owner that a failed attempt found a moment ago, or null. */
	@Nullable LeaseHolder seen(String name) {
		return this.watch.seen(name);
	}

	/** How long the lease is still valid, as a failed attempt found it, or null. */
	@Nullable Duration left(String name) {
		return this.watch.left(name);
	}

	/**
	 * Creates the rows of a lease that never had an owner. The row in {@code leases}, by
	 * which the rows are found, comes last.
	 */
	private void register(String name) {
		this.jdbc.update("insert into %s (lease_name, epoch) values (?, 0) on conflict (lease_name) do nothing"
			.formatted(this.epochs), name);
		this.jdbc.update("""
				insert into %s (lease_name, owner, epoch, acquired_at, expires_at)
				values (?, '', 0, '-infinity', '-infinity') on conflict (lease_name) do nothing
				""".formatted(this.table), name);
	}

	/**
	 * Takes the lease if it has expired, or if its row has not changed since it was found
	 * stale.
	 */
	private Optional<Grant> take(String name, @Nullable Sight sight) {
		UUID unchanged = (sight != null) ? sight.row().token() : null;
		OffsetDateTime since = (sight != null) ? sight.row().expiresAt() : null;
		// By the primary key. A row that another node is taking now is skipped.
		List<Grant> grant = this.jdbc.query("""
				update %1$s set owner = ?, epoch = epoch + 1, token = gen_random_uuid(), duration_ms = ?,
				       acquired_at = clock_timestamp(), expires_at = clock_timestamp() + ? * interval '1 millisecond'
				 where lease_name = (select lease_name from %1$s
				                      where lease_name = ? and (expires_at < clock_timestamp()
				                            or token = ?::uuid and expires_at = ?::timestamptz)
				                        for update skip locked)
				returning epoch, token""".formatted(this.table),
				(row, number) -> new Grant(row.getLong(1), row.getObject(2, UUID.class)), this.options.node(),
				this.options.duration().toMillis(), this.options.duration().toMillis(), name, unchanged, since);
		return grant.stream().findFirst();
	}

	/** Waits for the transactions of the former owner. */
	private void fence(String name, Grant grant) {
		Integer backend = this.jdbc.queryForObject("select pg_backend_pid()", Integer.class);
		CountDownLatch done = new CountDownLatch(1);
		Set<Integer> untouchable = new HashSet<>();
		SupervisedWorker ending = SupervisedWorker.daemon("eventing-takeover",
				() -> endTransactionsUntil(done, name, backend, untouchable));
		ending.start();
		try {
			// By the primary key; conflicts with the owner's locks for share. There is no
			// row if the lease was removed while its rows were created.
			this.jdbc.update("""
					insert into %s (lease_name, epoch, token) values (?, ?, ?)
					on conflict (lease_name) do update set epoch = excluded.epoch, token = excluded.token
					""".formatted(this.epochs), name, grant.epoch(), grant.token());
		}
		finally {
			ending.requestStop();
			// If this connection waits for locks later, no transaction must be terminated
			// for that.
			synchronized (done) {
				done.countDown();
			}
		}
	}

	private void endTransactionsUntil(CountDownLatch done, String name, @Nullable Integer backend,
			Set<Integer> untouchable) throws InterruptedException {
		while (!done.await(grace(), TimeUnit.MILLISECONDS)) {
			synchronized (done) {
				if (done.getCount() > 0) {
					endTransactions(name, backend, untouchable);
				}
			}
		}
	}

	private long grace() {
		return this.options.duration().toMillis() / GRACES_PER_DURATION;
	}

	private void endTransactions(String name, @Nullable Integer backend, Set<Integer> untouchable) {
		try {
			List<Integer> ended = this.jdbc.queryForList(this.inTheWay, Integer.class, backend, grace())
				.stream()
				.filter((pid) -> end(name, pid, untouchable))
				.toList();
			if (!ended.isEmpty()) {
				logger.warn("The former owner of lease '{}' still had transactions open after its lease expired; "
						+ "its connections {} are terminated.", name, ended);
			}
		}
		catch (DataAccessException ex) {
			logger.warn("Lease '{}' waits for transactions of its former owner, which cannot be read: {}", name,
					ex.getMessage());
		}
	}

	/**
	 * Terminates one connection per call, so that one that this role may not terminate
	 * does not protect the others.
	 */
	private boolean end(String name, int pid, Set<Integer> untouchable) {
		try {
			return Boolean.TRUE.equals(this.jdbc.queryForObject("select pg_terminate_backend(?)", Boolean.class, pid));
		}
		catch (DataAccessException ex) {
			if (untouchable.add(pid)) {
				logger.warn(
						"Lease '{}' waits for connection {}, which this role cannot terminate: {} Consider one role for"
								+ " all nodes.",
						name, pid, NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
			}
			return false;
		}
	}

}
