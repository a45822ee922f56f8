package dev.eventing.sdk.guarantees;

import java.sql.SQLTransientConnectionException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G4: what fails before the handler of an event began, after its commit, or because the
 * projector is made to stop, is no attempt of it.
 */
class G4AttemptsIT {

	private static final ProjectorSettings ONE_ATTEMPT = attempts(1);

	private final CountDownLatch never = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	private static ProjectorSettings attempts(int maxDeliver) {
		return ProjectorSettings.builder()
			.maxDeliver(maxDeliver)
			.concurrency(1)
			.retryDelay(Duration.ofMillis(10))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(50))
			.build();
	}

	@Test
	void countsNoAttemptWhileAClaimWaitsLongerThanStatementsMay() {
		this.world.setDefault("statement_timeout", "200ms");
		Event<Deposited> event = this.world.deposit(World.ACME, "a", 1);
		Accounts accounts = new Accounts();
		AtomicReference<AnnotationConfigApplicationContext> application = new AtomicReference<>();
		whileAnotherNodeHasClaimed(event, () -> {
			application.set(start(accounts, ONE_ATTEMPT));
			this.world.publish(event);
			await().until(() -> waitingForTheClaim() > 0);
			Steady.holds(Duration.ofSeconds(2), () -> counts(application.get()).failedAttempts() == 0);
		});
		try (AnnotationConfigApplicationContext running = application.get()) {
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(accounts.calls).hasSize(1);
			assertThatNothingWasCharged(running);
		}
	}

	/** The server ends the whole session, in the midst of a statement. */
	@Test
	void goesOnByItselfThoughItsReadingTakesLongerThanTransactionsMay() {
		this.world.append(World.ACME, "a", 1, 1);
		try (AnnotationConfigApplicationContext application = start(new Accounts(),
				ONE_ATTEMPT.toBuilder().source(Source.EVENT_STORE).build())) {
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.setDefault("transaction_timeout", "300ms");
			application.getBean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			whileTheEventsAreLocked(() -> {
				await().until(() -> state(application) == ProjectorState.WAITING_FOR_DATABASE);
				Steady.holds(Duration.ofSeconds(1), () -> state(application) != ProjectorState.FAILED);
			});
			this.world.append(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> state(application) == ProjectorState.RUNNING);
			assertThatNothingWasCharged(application);
		}
	}

	private void whileTheEventsAreLocked(Runnable action) {
		new TransactionTemplate(new JdbcTransactionManager(this.world.jdbc().getDataSource()))
			.executeWithoutResult((status) -> {
				this.world.jdbc().execute("lock table eventing.events in access exclusive mode");
				action.run();
			});
	}

	@Test
	void countsNoAttemptWhileTheDatabaseTakesNoWritesAndGoesOnOnceItDoes() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, ONE_ATTEMPT)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.setDefault("default_transaction_read_only", "on");
			application.getBean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			this.world.publish(World.ACME, "a", 2, 3);
			Steady.holds(Duration.ofSeconds(5), () -> counts(application).failedAttempts() == 0);
			this.world.setDefault("default_transaction_read_only", "off");
			application.getBean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThatNothingWasCharged(application);
		}
	}

	@Test
	void writesNoLetterOfAnEventWhoseCommitSucceededBeforeSomethingFailed() {
		Accounts accounts = new Accounts((event) -> {
			if (event.version() == 2) {
				failAfterTheCommit();
			}
		});
		try (AnnotationConfigApplicationContext application = start(accounts, ONE_ATTEMPT)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			this.world.publish(World.ACME, "a", 3, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(accounts.calledVersions("a")).containsExactly(1L, 2L, 3L, 4L, 5L);
			assertThatNothingWasCharged(application);
		}
	}

	private static void failAfterTheCommit() {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				throw new Accounts.Refused();
			}
		});
	}

	@ParameterizedTest
	@EnumSource(value = Source.class, names = { "JETSTREAM", "EVENT_STORE" })
	void countsNoAttemptHoweverOftenItIsStoppedInOrderDuringALongHandler(Source source) {
		Accounts accounts = new Accounts((event) -> runUntilInterrupted(event.version() == 1));
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts)
			.with(attempts(2).toBuilder().source(source).build())
			.customize(this::drainShortly))) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			send(source, 1, 1);
			for (int stop = 1; stop <= 6; stop++) {
				int calls = stop;
				await().untilAsserted(() -> assertThat(accounts.calls).as("calls").hasSize(calls));
				projectors.stop(Accounts.PROJECTOR);
				projectors.start(Accounts.PROJECTOR);
			}
			await().untilAsserted(() -> assertThat(accounts.calls).as("calls").hasSize(7));
			this.never.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThatNothingWasCharged(application);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Source.class, names = { "JETSTREAM", "EVENT_STORE" })
	void countsNoAttemptHoweverOftenItsLeaseIsLostDuringALongHandler(Source source) {
		Accounts accounts = new Accounts((event) -> runUntilInterrupted(event.version() == 1));
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts)
			.with(attempts(2).toBuilder().source(source).build())
			.lease(Duration.ofSeconds(1)))) {
			send(source, 1, 1);
			await().until(() -> !accounts.calls.isEmpty());
			for (int loss = 1; loss <= 5; loss++) {
				int calls = accounts.calls.size(); // a machine that stands still loses
													// it, too
				this.world.takeLease("projector/" + Accounts.PROJECTOR);
				await().untilAsserted(() -> assertThat(accounts.calls).as("calls").hasSizeGreaterThan(calls));
			}
			this.never.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThatNothingWasCharged(application);
		}
	}

	@Test
	void countsNoAttemptThatALostLeaseCutsShortWhileThePoolHasNoConnection() {
		FaultyDataSource[] database = new FaultyDataSource[1];
		Accounts accounts = new Accounts((event) -> runUntilInterrupted(event.version() == 1));
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
				AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts)
					.with(attempts(2).toBuilder().concurrency(1).build())
					.lease(Duration.ofSeconds(1))
					.customize((context) -> {
						database[0] = new FaultyDataSource(pool);
						FaultyDataSource.install(context, database[0]);
					}))) {
			send(Source.JETSTREAM, 1, 1);
			await().until(() -> !accounts.calls.isEmpty());
			for (int loss = 1; loss <= 5; loss++) {
				int calls = accounts.calls.size(); // a machine that stands still loses
													// it, too
				database[0].failFor(Accounts.PROJECTOR + "-lane-0", 3,
						new SQLTransientConnectionException("the pool has none now"));
				this.world.takeLease("projector/" + Accounts.PROJECTOR);
				await().untilAsserted(() -> assertThat(accounts.calls).as("calls").hasSizeGreaterThan(calls));
			}
			this.never.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThatNothingWasCharged(application);
		}
	}

	private void drainShortly(AnnotationConfigApplicationContext context) {
		context.registerBean(ProjectorRuntime.class, () -> new ProjectorRuntime(Duration.ofMillis(200), Thread::new,
				ProjectorRuntime.DEFAULT_STANDBY_LIMIT));
	}

	private void runUntilInterrupted(boolean really) {
		try {
			if (really) {
				this.never.await();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void waitsNoLongerForARetryThanItHasToWhenTheClockStepsBack() {
		AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
		InstantSource time = () -> Instant.now().plus(ahead.get());
		AtomicBoolean failed = new AtomicBoolean();
		Accounts accounts = new Accounts((event) -> {
			if (!failed.getAndSet(true)) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings later = ProjectorSettings.builder()
			.maxDeliver(5)
			.concurrency(1)
			.retryDelay(Duration.ofSeconds(1))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofSeconds(1))
			.build();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts)
			.with(later)
			.customize((context) -> context.registerBean(Clock.class, () -> time.withZone(ZoneOffset.UTC))))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() == 1);
			ahead.set(Duration.ofHours(-1));
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(counts(application).failedAttempts()).isEqualTo(1);
		}
	}

	/** Each waits in its handler for another one that is tried again. */
	@Test
	void triesEventsWithoutAnOrderAgainSideBySide() {
		Set<String> failed = ConcurrentHashMap.newKeySet();
		CountDownLatch both = new CountDownLatch(2);
		Set<Boolean> met = ConcurrentHashMap.newKeySet();
		Accounts accounts = new Accounts((event) -> {
			if (failed.add(event.account())) {
				throw new Accounts.Refused();
			}
			both.countDown();
			met.add(awaitAll(both));
		});
		ProjectorSettings unordered = ProjectorSettings.builder()
			.maxDeliver(5)
			.concurrency(8)
			.ordering(Ordering.NONE)
			.retryDelay(Duration.ofMillis(300))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(300))
			.build();
		try (AnnotationConfigApplicationContext application = start(accounts, unordered)) {
			for (int account = 0; account < 8; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			await().until(() -> counts(application).processed() == 8);
			assertThat(met).contains(true).doesNotContain(false);
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		}
	}

	private static boolean awaitAll(CountDownLatch latch) {
		try {
			return latch.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A claim that is rolled back is left to vacuum. */
	@Test
	void claimsFewEventsInVainWhileAllOfThemFail() {
		Accounts accounts = new Accounts((event) -> {
			throw new Accounts.Refused();
		});
		int events = 300;
		List<Future<?>> published = new ArrayList<>();
		for (int account = 0; account < events; account++) {
			published.add(this.world.publisher()
				.publishAsync(this.world.subject(), this.world.deposit(World.ACME, "a" + account, 1)));
		}
		await().until(() -> published.stream().allMatch(Future::isDone));
		long begin = System.nanoTime();
		try (AnnotationConfigApplicationContext application = start(accounts, ONE_ATTEMPT)) {
			await().until(() -> counts(application).deadLetters() == events);
			long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
			await().until(() -> inserted("dead_letters") >= events);
			System.out.printf("%d events that all fail: %d claims in vain, %d ms%n", events,
					inserted("processed_events"), took);
			assertThat(inserted("processed_events")).isLessThan(5L * events);
		}
	}

	private long inserted(String table) {
		return this.world.count("select n_tup_ins from pg_stat_user_tables where relname = '" + table + "'");
	}

	private void send(Source source, int from, int to) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a", from, to);
		}
		else {
			this.world.publish(World.ACME, "a", from, to);
		}
	}

	private void whileAnotherNodeHasClaimed(Event<Deposited> event, Runnable action) {
		new TransactionTemplate(new JdbcTransactionManager(this.world.jdbc().getDataSource()))
			.executeWithoutResult((status) -> {
				this.world.jdbc()
					.update("insert into eventing.processed_events (projector_name, event_id, tenant_id) values (?, ?, ?)",
							Accounts.PROJECTOR, event.id(), World.ACME.value());
				action.run();
				status.setRollbackOnly();
			});
	}

	private long waitingForTheClaim() {
		try (HikariDataSource other = World.dataSource(this.world.jdbcUrl())) {
			return new org.springframework.jdbc.core.JdbcTemplate(other).queryForObject("""
					select count(*) from pg_stat_activity
					 where wait_event_type = 'Lock' and query like '%processed_events%'
					   and datname = current_database()""", Long.class);
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(accounts).with(settings));
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts();
	}

	private void assertThatNothingWasCharged(AnnotationConfigApplicationContext application) {
		assertThat(counts(application).failedAttempts()).as("failed attempts").isZero();
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts where attempts > 0")).isZero();
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

}
