package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes a lease that is free or has expired. The new epoch is written after every
 * transaction that holds the old one has ended; those of a process that is frozen, or
 * whose machine is gone, would last for hours, so their connections are ended after a
 * moment. PostgreSQL allows that among connections of one role. Thread-safe.
 */
final class Takeover {

	private static final Logger logger = LoggerFactory.getLogger(Takeover.class);

	/** The transactions of a former owner may still take this part of a lease. */
	private static final int GRACES_PER_DURATION = 4;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final LeaseOptions options;

	private final String table;

	private final String epochs;

	Takeover(DataSource dataSource, EventingSchema schema, LeaseOptions options) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.setIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
		this.options = options;
		this.table = schema.table("leases");
		this.epochs = schema.table("lease_epochs");
	}

	/** The epoch this node owns the lease in now; empty if another node owns it. */
	OptionalLong attempt(String name) {
		List<Boolean> free = this.jdbc.queryForList(
				"select expires_at < clock_timestamp() from %s where lease_name = ?".formatted(this.table),
				Boolean.class, name);
		if (free.equals(List.of(false))) {
			return OptionalLong.empty();
		}
		if (free.isEmpty()) {
			register(name);
		}
		return Objects.requireNonNull(this.transaction.execute((status) -> {
			OptionalLong epoch = take(name);
			epoch.ifPresent((taken) -> fence(name, taken));
			return epoch;
		}));
	}

	/** Nobody ever owned it: makes its rows, the one that is looked for last. */
	private void register(String name) {
		this.jdbc.update("insert into %s (lease_name, epoch) values (?, 0) on conflict (lease_name) do nothing"
			.formatted(this.epochs), name);
		this.jdbc.update("""
				insert into %s (lease_name, owner, epoch, acquired_at, expires_at)
				values (?, '', 0, '-infinity', '-infinity') on conflict (lease_name) do nothing
				""".formatted(this.table), name);
	}

	private OptionalLong take(String name) {
		// By the primary key. A row another node is just taking is passed over.
		List<Long> epoch = this.jdbc.queryForList("""
				update %1$s set owner = ?, epoch = epoch + 1, acquired_at = clock_timestamp(),
				       expires_at = clock_timestamp() + ? * interval '1 millisecond'
				 where lease_name = (select lease_name from %1$s
				                      where lease_name = ? and expires_at < clock_timestamp()
				                        for update skip locked)
				returning epoch""".formatted(this.table), Long.class, this.options.node(),
				this.options.duration().toMillis(), name);
		return epoch.stream().mapToLong(Long::longValue).findFirst();
	}

	/** Waits for the transactions of the former owner. */
	private void fence(String name, long epoch) {
		Integer backend = this.jdbc.queryForObject("select pg_backend_pid()", Integer.class);
		CountDownLatch done = new CountDownLatch(1);
		SupervisedWorker ending = SupervisedWorker.daemon("eventing-takeover",
				() -> endTransactionsUntil(done, name, backend));
		ending.start();
		try {
			// By the primary key; conflicts with the owner's locks for share.
			this.jdbc.update("update %s set epoch = ? where lease_name = ?".formatted(this.epochs), epoch, name);
		}
		finally {
			ending.requestStop();
			// What this connection may wait for later is nothing to end anything for.
			synchronized (done) {
				done.countDown();
			}
		}
	}

	private void endTransactionsUntil(CountDownLatch done, String name, @Nullable Integer backend)
			throws InterruptedException {
		long grace = this.options.duration().toMillis() / GRACES_PER_DURATION;
		while (!done.await(grace, TimeUnit.MILLISECONDS)) {
			synchronized (done) {
				if (done.getCount() > 0) {
					endTransactions(name, backend);
				}
			}
		}
	}

	private void endTransactions(String name, @Nullable Integer backend) {
		try {
			List<Integer> ended = this.jdbc.queryForList("""
					select pid from unnest(pg_blocking_pids(?)) as pid where pg_terminate_backend(pid)
					""", Integer.class, backend);
			if (!ended.isEmpty()) {
				logger.warn("The former owner of lease '{}' still had transactions open after its lease expired; "
						+ "its connections {} are ended.", name, ended);
			}
		}
		catch (DataAccessException ex) {
			logger.warn("Lease '{}' waits for transactions of its former owner, which cannot be ended: {}", name,
					ex.getMessage());
		}
	}

}
