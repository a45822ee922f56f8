package dev.eventing.sdk.lease;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.guarantees.RecordedStatements;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

class LeasesIT extends LeaseSetup {

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

	/** Another node removed the lease between the two statements that create its rows. */
	@Test
	void isOwnedThoughOneOfItsRowsWasRemovedWhileItWasCreated() {
		this.jdbc.update("""
				insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at)
				values (?, '', 0, '-infinity', '-infinity')""", NAME);
		Leases a = node("a");
		Lease lease = acquire(a);
		this.transactions.executeWithoutResult((status) -> lease.requireOwned());
		a.remove(NAME, this.jdbc);
		await().until(lease::isLost);
		assertThat(count("select count(*) from eventing.leases")).isZero();
		assertThat(count("select count(*) from eventing.lease_epochs")).isZero();
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
	void isTakenWheneverItIsFreeAndKeptAsLongAsItLasts() {
		KeptLease a = new KeptLease(node("a"), NAME);
		KeptLease b = new KeptLease(node("b"), NAME);
		assertThat(a.held()).isNull();
		assertThat(a.takeForWork()).isTrue();
		assertThat(a.take()).isSameAs(a.held());
		assertThat(b.takeForWork()).isFalse();
		assertThat(b.take()).isNull();
		a.release();
		assertThat(a.held()).isNull();
		await().until(b::takeForWork);
		Lease lost = b.held();
		await().until(() -> {
			expire();
			return a.takeForWork();
		});
		await().until(() -> lost != null && lost.isLost());
		assertThat(b.takeForWork()).isFalse();
		assertThat(b.held()).isNull();
	}

	@Test
	void whoLostItIsToldAndCommitsNothingMore() {
		Lease lease = acquire(node("a", Duration.ofMinutes(2))); // not renewed meanwhile
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
	void aNewOwnerWaitsForTheTransactionsOfTheFormerOne() {
		Lease lease = acquire(node("a", Duration.ofMinutes(2))); // not renewed meanwhile
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

	/** As of a process that stands still, or of a machine that is gone. */
	@Test
	void aTransactionOfTheFormerOwnerThatDoesNotEndIsEnded() {
		Lease lease = acquire(node("a", Duration.ofMinutes(2))); // not renewed meanwhile
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

	/**
	 * It stands before the takeover in the line, and is not what the takeover waits for.
	 */
	@Test
	void whoWaitsForTheTransactionsOfTheFormerOwnerTooIsNotEnded() {
		Lease lease = acquire(node("a", Duration.ofMinutes(2))); // not renewed meanwhile
		List<CompletableFuture<Integer>> waiting = new ArrayList<>();
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				lease.requireOwned();
				expire();
				waiting.add(CompletableFuture.supplyAsync(
						() -> this.jdbc.update("delete from eventing.lease_epochs where lease_name = ?", NAME),
						this.threads));
				await().until(() -> count("select count(*) from pg_locks where not granted") > 0);
				assertThat(acquire(node("b")).epoch()).isEqualTo(2);
			}));
		assertThat(waiting.get(0).join()).as("deleted rows").isEqualTo(1);
	}

	/** As a node that freezes. Others skip the row that it is taking. */
	@Test
	void whoStandsStillWhileItTakesALeaseIsInNobodysWay() throws Exception {
		CountDownLatch taken = new CountDownLatch(1);
		CountDownLatch thaw = new CountDownLatch(1);
		DataSource freezing = new RecordedStatements(this.dataSource, (sql, parameter) -> {
		}, (sql, parameter) -> {
			if (sql.contains("skip locked")) {
				taken.countDown();
				assertThatNoException().isThrownBy(thaw::await);
			}
		});
		Leases a = node("a", freezing, DURATION);
		CompletableFuture<Lease> taking = CompletableFuture.supplyAsync(() -> acquire(a), this.threads);
		taken.await();
		Leases b = node("b");
		assertThat(b.tryAcquire(NAME)).isNull();
		await().until(() -> b.tryAcquire(NAME) != null);
		thaw.countDown();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(taking::join);
		assertThat(b.holder(NAME).orElseThrow().owner()).isEqualTo("b");
	}

	/**
	 * The database was replaced by a replica that lagged: it knows nothing of the second
	 * owner, and gives the third one the same epoch.
	 */
	@Test
	void whoseTakeoverWasLostWithAFailoverCommitsNothingMore() {
		acquire(node("a", Duration.ofMinutes(2))); // not renewed meanwhile
		this.jdbc.execute("create table leases_before as select * from eventing.leases");
		this.jdbc.execute("create table epochs_before as select * from eventing.lease_epochs");
		expire();
		// so patient that it does not notice by renewing
		Lease lost = acquire(node("b", Duration.ofMinutes(2)));
		this.jdbc.execute("delete from eventing.leases; insert into eventing.leases select * from leases_before");
		this.jdbc.execute(
				"delete from eventing.lease_epochs; insert into eventing.lease_epochs select * from epochs_before");
		expire();
		Lease third = acquire(node("c"));
		assertThat(third.epoch()).isEqualTo(lost.epoch());
		this.transactions.executeWithoutResult((status) -> third.requireOwned());
		assertThatExceptionOfType(LeaseLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> lost.requireOwned()));
		assertThat(lost.isLost()).isTrue();
	}

	@Test
	void endsWhatItMayEndThoughOneOfThoseInItsWayMayNotBeSignalled() throws Exception {
		this.jdbc.execute("""
				do $$ begin create role lease_app login; exception when duplicate_object then null; end $$;
				grant usage on schema eventing to lease_app;
				grant select, insert, update, delete on all tables in schema eventing to lease_app""");
		HikariDataSource own = pool(this.dataSource.getJdbcUrl().replace("user=postgres", "user=lease_app"));
		own.setUsername("lease_app");
		// of a process that renews no more, so that nothing races with the takeover
		this.jdbc.update("insert into eventing.lease_epochs (lease_name, epoch) values (?, 1)", NAME);
		this.jdbc.update("""
				insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at)
				values (?, 'dead', 1, now(), '-infinity')""", NAME);
		try (Connection foreign = DriverManager.getConnection(this.dataSource.getJdbcUrl());
				Connection frozen = DriverManager.getConnection(own.getJdbcUrl())) {
			for (Connection each : List.of(foreign, frozen)) {
				each.setAutoCommit(false);
				each.createStatement().execute("lock table eventing.lease_epochs in share mode");
			}
			Leases b = node("b", own, DURATION);
			CompletableFuture<Lease> taking = CompletableFuture.supplyAsync(() -> acquire(b), this.threads);
			await().until(() -> !frozen.isValid(1));
			foreign.commit();
			assertThat(taking.join().epoch()).isEqualTo(2);
		}
	}

	/** As where the clock of a promoted replica is behind that of the primary it was. */
	@Test
	void aLeaseThatNobodyRenewsIsTakenOverThoughItsEndLiesFarAhead() {
		this.jdbc.update("insert into eventing.lease_epochs (lease_name, epoch) values (?, 7)", NAME);
		this.jdbc.update("""
				insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at)
				values (?, 'dead', 7, now(), now() + interval '1 hour')""", NAME);
		Leases b = node("b");
		Instant begin = Instant.now();
		await().until(() -> b.tryAcquire(NAME) != null);
		assertThat(Duration.between(begin, Instant.now())).isGreaterThan(DURATION);
		assertThat(b.holder(NAME).orElseThrow().epoch()).isEqualTo(8);
	}

	@Test
	void isAskedForAgainAtTheMomentWhenTheLeaseOfADeadOwnerExpires() {
		Duration duration = Duration.ofSeconds(30);
		acquire(node("a", duration));
		KeptLease standby = new KeptLease(node("b", duration), NAME);
		assertThat(standby.take()).isNull();
		assertThat(standby.retryAfter()).isEqualTo(duration.dividedBy(5));
		this.jdbc.update("""
				update eventing.leases
				   set token = gen_random_uuid(), expires_at = clock_timestamp() + interval '5 s'""");
		KeptLease later = new KeptLease(node("c", duration), NAME);
		assertThat(later.take()).isNull();
		assertThat(later.retryAfter()).isBetween(Duration.ofMillis(1), Duration.ofMillis(5_005));
		await().until(() -> later.take() != null);
		assertThat(later.retryAfter()).isEqualTo(duration.dividedBy(5));
	}

	/** As with a connection that a firewall has forgotten. */
	@Test
	void aLookThatHangsHoldsUpNoOtherLease() {
		acquire(node("a"));
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch free = new CountDownLatch(1);
		Thread[] hanging = new Thread[1];
		Leases b = node("b", new DelegatingDataSource(this.dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				if (Thread.currentThread() == hanging[0]) {
					reached.countDown();
					awaitOpen(free);
				}
				return super.getConnection();
			}
		}, DURATION);
		CompletableFuture<Boolean> hung = CompletableFuture.supplyAsync(() -> {
			hanging[0] = Thread.currentThread();
			return b.tryAcquire(NAME) == null;
		}, this.threads);
		awaitOpen(reached);
		CompletableFuture<Boolean> others = CompletableFuture
			.supplyAsync(() -> b.tryAcquire("projector/others") != null, this.threads);
		await().until(() -> others.isDone() && others.join());
		CompletableFuture<String> owner = CompletableFuture.supplyAsync(() -> b.holder(NAME).orElseThrow().owner(),
				this.threads);
		await().until(() -> owner.isDone() && owner.join().equals("a"));
		assertThat(hung).isNotDone();
		free.countDown();
		assertThat(hung.join()).isTrue();
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

	private static void awaitOpen(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
