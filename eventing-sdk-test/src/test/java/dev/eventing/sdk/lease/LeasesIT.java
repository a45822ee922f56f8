package dev.eventing.sdk.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class LeasesIT {

	private static final String NAME = "projector/orders";

	private static final Duration DURATION = Duration.ofSeconds(1);

	private final List<AutoCloseable> open = new ArrayList<>();

	/** Of its own: the common pool may have one thread, which waits for the lease. */
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HikariDataSource dataSource;

	private JdbcTemplate jdbc;

	private TransactionTemplate transactions;

	@BeforeEach
	void create() {
		this.dataSource = pool(TestServers.postgres().createDatabase());
		new SchemaInitializer(this.dataSource, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.threads.shutdown();
	}

	@Test
	void oneNodeOwnsALeaseAndTheOthersStandBy() {
		Leases a = node("a");
		Leases b = node("b");
		Lease lease = acquire(a);
		assertThat(lease.epoch()).isEqualTo(1);
		assertThat(lease.isCurrent()).isTrue();
		assertThat(b.tryAcquire(NAME)).isNull();
		assertThat(b.tryAcquire("projector/others")).isNotNull();
		assertThat(b.holder(NAME)).hasValueSatisfying((holder) -> {
			assertThat(holder.owner()).isEqualTo("a");
			assertThat(holder.epoch()).isEqualTo(1);
			assertThat(holder.expiresAt()).isAfter(holder.acquiredAt());
		});
		assertThat(b.holder("projector/unheard-of")).isEmpty();
	}

	@Test
	void aReleasedLeaseIsFreeAtOnce() {
		Lease lease = acquire(node("a"));
		lease.release();
		lease.release();
		assertThat(lease.isCurrent()).isFalse();
		Lease next = acquire(node("b"));
		assertThat(next.epoch()).isEqualTo(2);
	}

	@Test
	void aClosedNodeGivesBackAllItHolds() {
		Leases a = new Leases(this.dataSource, EventingSchema.defaults(), new LeaseOptions("a", DURATION));
		a.tryAcquire(NAME);
		a.tryAcquire("relay/default");
		a.close();
		Leases b = node("b");
		assertThat(b.tryAcquire(NAME)).isNotNull();
		assertThat(b.tryAcquire("relay/default")).isNotNull();
	}

	@Test
	void isRenewedForAsLongAsItIsHeld() {
		Lease lease = acquire(node("a"));
		Leases b = node("b");
		Instant first = b.holder(NAME).orElseThrow().expiresAt();
		await().atMost(Duration.ofSeconds(10))
			.until(() -> b.holder(NAME).orElseThrow().expiresAt().isAfter(first.plus(DURATION.multipliedBy(2))));
		assertThat(b.tryAcquire(NAME)).isNull();
		assertThat(lease.isCurrent()).isTrue();
	}

	@Test
	void whoLostItIsToldAndCommitsNothingMore() {
		Lease lease = acquire(node("a"));
		AtomicInteger told = new AtomicInteger();
		lease.onLost(told::incrementAndGet);
		expire();
		assertThat(acquire(node("b")).epoch()).isEqualTo(2);
		assertThatExceptionOfType(LeaseLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> lease.requireOwned()))
			.withMessageContaining(NAME);
		await().until(() -> told.get() == 1);
		assertThat(lease.isLost()).isTrue();
		assertThat(lease.isCurrent()).isFalse();
		lease.onLost(told::incrementAndGet);
		assertThat(told).hasValue(2);
	}

	@Test
	void noticesByRenewingThatItIsLost() {
		Lease lease = acquire(node("a"));
		expire();
		assertThat(node("b").tryAcquire(NAME)).isNotNull();
		await().until(lease::isLost);
	}

	@Test
	void aNewOwnerWaitsForTheTransactionsOfTheFormerOne() {
		Lease lease = acquire(node("a"));
		// patient enough for the transaction to end by itself
		Leases b = node("b", Duration.ofMinutes(2));
		CompletableFuture<Lease> taking = this.transactions.execute((status) -> {
			lease.requireOwned();
			this.jdbc.execute("create table effects (epoch bigint)");
			expire();
			CompletableFuture<Lease> attempt = CompletableFuture.supplyAsync(() -> acquire(b), this.threads);
			await().until(() -> count("select count(*) from pg_locks where not granted") > 0);
			assertThat(attempt).isNotDone();
			return attempt;
		});
		assertThat(taking.join().epoch()).isEqualTo(2);
		assertThat(count("select count(*) from pg_tables where tablename = 'effects'")).isEqualTo(1);
	}

	/** As those of a process that stands still, or of a machine that is gone. */
	@Test
	void aTransactionOfTheFormerOwnerThatDoesNotEndIsEnded() {
		Lease lease = acquire(node("a"));
		AtomicBoolean committed = new AtomicBoolean();
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				lease.requireOwned();
				this.jdbc.execute("create table effects (epoch bigint)");
				expire();
				assertThat(acquire(node("b")).epoch()).isEqualTo(2);
				committed.set(true);
			}));
		assertThat(committed).as("the takeover did not wait for the former owner's client").isTrue();
		assertThat(count("select count(*) from pg_tables where tablename = 'effects'")).isZero();
	}

	@Test
	void renewingDoesNotWaitForTheOwnersTransactions() {
		Lease lease = acquire(node("a"));
		Leases b = node("b");
		this.transactions.executeWithoutResult((status) -> {
			lease.requireOwned();
			Instant first = b.holder(NAME).orElseThrow().expiresAt();
			await().until(() -> b.holder(NAME).orElseThrow().expiresAt().isAfter(first.plus(DURATION)));
		});
		assertThat(lease.isLost()).isFalse();
	}

	@Test
	void survivesAnOutageOfTheDatabase() {
		PostgresServer server = PostgresServer.start();
		this.open.add(server);
		HikariDataSource own = pool(server.createDatabase());
		new SchemaInitializer(own, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		Leases a = new Leases(own, EventingSchema.defaults(), new LeaseOptions("a", DURATION));
		this.open.add(0, a);
		Lease lease = acquire(a);
		server.kill();
		await().until(() -> !lease.isCurrent());
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> a.tryAcquire("projector/others"));
		server.restart();
		await().atMost(Duration.ofSeconds(20)).until(lease::isCurrent);
		assertThat(lease.isLost()).isFalse();
		assertThat(a.holder(NAME).orElseThrow().epoch()).isEqualTo(1);
	}

	@Test
	void amongManyNodesThereIsNeverMoreThanOneOwner() {
		int nodes = 6;
		AtomicInteger owners = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Long> epochs = Collections.synchronizedList(new ArrayList<>());
		ExecutorService threads = Executors.newFixedThreadPool(nodes);
		List<CompletableFuture<Void>> running = new ArrayList<>();
		for (int i = 0; i < nodes; i++) {
			Leases leases = node("node-" + i);
			running.add(CompletableFuture.runAsync(() -> {
				for (int turns = 0; turns < 20;) {
					Lease lease = leases.tryAcquire(NAME);
					if (lease != null) {
						most.accumulateAndGet(owners.incrementAndGet(), Math::max);
						epochs.add(lease.epoch());
						this.transactions.executeWithoutResult((status) -> lease.requireOwned());
						owners.decrementAndGet();
						lease.release();
						turns++;
					}
				}
			}, threads));
		}
		CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
		threads.shutdown();
		assertThat(most).hasValue(1);
		assertThat(epochs).hasSize(nodes * 20).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void refusesWhatCannotWork() {
		Leases a = node("a");
		a.tryAcquire(NAME);
		assertThatIllegalStateException().isThrownBy(() -> a.tryAcquire(NAME)).withMessageContaining(NAME);
		assertThatExceptionOfType(EventingException.class)
			.isThrownBy(() -> new LeaseOptions("a", Duration.ofMillis(10)))
			.withMessageContaining("10 ms");
		assertThatExceptionOfType(EventingException.class).isThrownBy(() -> new LeaseOptions(" ", DURATION));
		assertThat(LeaseOptions.defaults().node()).isNotEqualTo(LeaseOptions.defaults().node());
	}

	private static Lease acquire(Leases leases) {
		return Objects.requireNonNull(leases.tryAcquire(NAME), "another node owns it");
	}

	/** As if the owner had not renewed it for its duration. */
	private void expire() {
		CompletableFuture
			.runAsync(() -> this.jdbc.update("update eventing.leases set expires_at = '-infinity'"), this.threads)
			.join();
	}

	private long count(String sql) {
		Long count = CompletableFuture.supplyAsync(() -> this.jdbc.queryForObject(sql, Long.class), this.threads)
			.join();
		return (count != null) ? count : 0;
	}

	private Leases node(String name) {
		return node(name, DURATION);
	}

	private Leases node(String name, Duration duration) {
		Leases leases = new Leases(this.dataSource, EventingSchema.defaults(), new LeaseOptions(name, duration));
		this.open.add(0, leases);
		return leases;
	}

	private HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername("postgres");
		pool.setMaximumPoolSize(16);
		pool.setMinimumIdle(1);
		pool.setConnectionTimeout(1000);
		pool.setInitializationFailTimeout(-1);
		this.open.add(pool);
		return pool;
	}

}
