package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G9: connections to PostgreSQL that stand and say nothing, as when a machine or a
 * firewall between forgot them: no answer, no reset. What waits for an answer continues
 * by itself.
 */
@Tag("crash")
class G9SilentDatabaseIT {

	private static final Duration LEASE = Duration.ofSeconds(1);

	/** The ten seconds to drain and some more. */
	private static final Duration LONGEST_STOP = Duration.ofSeconds(17);

	/** So short that no test waits for long. */
	private static final JdbcOptions IMPATIENT = new JdbcOptions(Duration.ofSeconds(2), Duration.ofSeconds(3));

	/** Leaves what handlers do to the lease. */
	private static final JdbcOptions PATIENT = new JdbcOptions(Duration.ofSeconds(2), Duration.ofMinutes(10));

	@AutoClose
	private final FaultProxy proxy = FaultProxy.to(TestServers.postgres().port());

	@AutoClose
	private final RelayWorld relays = RelayWorld.create();

	private final World world = this.relays.world();

	@Test
	void aRelayGoesOnAfterItsConnectionsFellSilent() {
		try (AnnotationConfigApplicationContext application = this.world
			.start(relay(this.relays).customize(throughProxy(IMPATIENT)))) {
			assertThat(application.isRunning()).isTrue();
			this.relays.append(World.ACME, "a", 1);
			this.relays.awaitDrained();
			this.proxy.swallow();
			this.relays.append(World.ACME, "a", 5);
			this.proxy.restore();
			await().until(() -> this.relays.stored().size() == 6);
			this.relays.assertThatTheStreamHoldsEverythingInOrder();
		}
	}

	/** Long before its statement is given up, or its lease missed. */
	@Test
	void aRelayTellsThatItWaitsForConnectionsThatAreSilent() {
		JdbcOptions patient = new JdbcOptions(Duration.ofMinutes(10), Duration.ofMinutes(10));
		try (AnnotationConfigApplicationContext application = this.world
			.start(relay(this.relays).lease(Duration.ofMinutes(10)).customize(throughProxy(patient)))) {
			Relays publishing = application.getBean(Relays.class);
			this.relays.append(World.ACME, "a", 1);
			this.relays.awaitDrained();
			this.proxy.swallow();
			this.relays.append(World.ACME, "a", 5);
			await().untilAsserted(() -> assertThat(publishing.status()).singleElement().satisfies((status) -> {
				assertThat(status.state()).isEqualTo(RelayState.WAITING_FOR_DATABASE);
				assertThat(status.detail()).matches("PostgreSQL has not answered for \\d+ s\\.");
			}));
			// a statement that is under way waits for ten minutes otherwise
			this.proxy.cut();
			this.proxy.restore();
			await().until(() -> publishing.status().get(0).state() == RelayState.RUNNING);
			await().until(() -> this.relays.stored().size() == 6);
		}
	}

	@Test
	void anotherNodePublishesWhileTheConnectionsOfOneAreSilent() {
		try (AnnotationConfigApplicationContext one = this.world
			.start(relay(this.relays).customize(throughProxy(IMPATIENT)))) {
			assertThat(one.isRunning()).isTrue();
			this.relays.append(World.ACME, "a", 1);
			this.relays.awaitDrained();
			try (AnnotationConfigApplicationContext other = this.world.start(relay(this.relays))) {
				assertThat(other.isRunning()).isTrue();
				this.proxy.swallow();
				this.relays.append(World.ACME, "a", 5);
				await().until(() -> this.relays.stored().size() == 6);
				this.proxy.restore();
			}
			this.relays.append(World.ACME, "a", 5);
			await("the first one again").until(() -> this.relays.stored().size() == 11);
			this.relays.assertThatTheStreamHoldsEverythingInOrder();
		}
	}

	@Test
	void aHandlersStatementThatIsNotAnsweredIsGivenUp() {
		appliesAllThoughSilentInAHandler(IMPATIENT, Duration.ZERO);
	}

	@Test
	void aHandlersStatementIsGivenUpWhenTheLeaseHasNotBeenRenewedForTwiceItsDuration() {
		appliesAllThoughSilentInAHandler(PATIENT, LEASE.multipliedBy(4));
	}

	private void appliesAllThoughSilentInAHandler(JdbcOptions options, Duration silence) {
		AtomicBoolean silent = new AtomicBoolean();
		Accounts accounts = new Accounts((event) -> fallSilentOnce(event, silent));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).lease(LEASE).customize(throughProxy(options)))) {
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(silent::get);
			await().pollDelay(silence).until(silent::get);
			this.proxy.restore();
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
	}

	/**
	 * In the handler, so that the transaction has claimed its events. The flag comes
	 * last: the test restores the proxy as soon as it sees it.
	 */
	private void fallSilentOnce(Deposited event, AtomicBoolean silent) {
		if (event.version() == 3 && !silent.get()) {
			this.proxy.swallow();
			silent.set(true);
		}
	}

	/**
	 * The session on the server has not heard that its connection broke, and holds the
	 * claims.
	 */
	@Test
	void anEventWithoutOrderIsAppliedThoughItsClaimWasMadeOnAConnectionThatFellSilent() {
		this.world.jdbc().execute("create table applied (version bigint)");
		AtomicBoolean silent = new AtomicBoolean();
		Unordered handler = new Unordered((event) -> fallSilentOnce(event, silent));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(handler).lease(LEASE).customize(throughProxy(IMPATIENT)))) {
			assertThat(application.isRunning()).isTrue();
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(silent::get);
			this.proxy.restore();
			await().until(() -> this.world.count("select count(*) from applied") == 5);
		}
	}

	/** Nor does it pile up sessions that wait. */
	@Test
	void aProjectorSaysThatItCannotSaveItsPlaceWhileAnotherSessionLocksIt() throws SQLException {
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).customize(throughProxy(PATIENT)))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			try (Connection other = Objects.requireNonNull(this.world.jdbc().getDataSource()).getConnection();
					Statement lock = other.createStatement()) {
				other.setAutoCommit(false);
				lock.execute("lock table eventing.projector_positions in exclusive mode");
				this.world.publish(World.ACME, "a", 2, 2);
				await().until(() -> World.status(application, Accounts.PROJECTOR)
					.state() == ProjectorState.WAITING_FOR_DATABASE);
				await().during(Duration.ofSeconds(5)).until(() -> waitingForLocks() <= 2);
				other.rollback();
			}
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING
					&& this.world.count("select max(floor) from eventing.projector_positions") == 2);
		}
	}

	private long waitingForLocks() {
		return this.world.count("""
				select count(*) from pg_stat_activity
				 where datname = current_database() and wait_event_type = 'Lock'""");
	}

	/**
	 * With the pool's own time to wait for a connection, 30 seconds. Projectors take
	 * their 10 seconds to drain, relays and forwarder theirs, at the same time.
	 */
	@Test
	void aStopTakesNoLongerThanItMayWhilePostgresIsAway() {
		try (PostgresServer postgres = PostgresServer.start()) {
			RelayWorld own = RelayWorld.on(TestServers.nats(), postgres);
			AnnotationConfigApplicationContext application = own.world()
				.start(relay(own, new Accounts()).customize(G9SilentDatabaseIT::patientPool));
			own.append(World.ACME, "a", 3);
			await().until(() -> own.world().version(World.ACME, "a") == 3);
			postgres.kill();
			Elapsed took = close(application);
			System.out.printf("stop without PostgreSQL: %s%n", took);
			postgres.restart();
			own.close();
			took.assertWithin(LONGEST_STOP);
		}
	}

	/** Once with the pruner at work, which may wait for an answer as well. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aStopTakesNoLongerThanItMayWhilePostgresIsSilent(boolean pruning) {
		AnnotationConfigApplicationContext application = this.world.start(relay(this.relays, new Accounts())
			.customize((context) -> context.registerBean(PruningOptions.class,
					() -> new PruningOptions(pruning, Duration.ofHours(1), Duration.ofMillis(100))))
			.customize(throughProxy(JdbcOptions.defaults()))
			.customize(G9SilentDatabaseIT::patientPool));
		this.relays.append(World.ACME, "a", 3);
		await().until(() -> this.world.version(World.ACME, "a") == 3);
		this.proxy.swallow();
		await().until(() -> !pruning || isAtWork("eventing-pruner"));
		Elapsed took = close(application);
		System.out.printf("stop while PostgreSQL is silent, pruning %s: %s%n", pruning, took);
		took.assertWithin(LONGEST_STOP);
	}

	/** Whether it waits for the database, or for a thread that does. */
	private static boolean isAtWork(String thread) {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((each) -> each.getKey().getName().equals(thread))
			.flatMap((each) -> Stream.of(each.getValue()))
			.anyMatch((frame) -> List.of("getConnection", "tryAcquire").contains(frame.getMethodName())
					|| frame.getClassName().startsWith("org.postgresql"));
	}

	@Test
	void aStopTakesNoLongerThanItMayWhileAProjectorStartsAndPostgresIsAway() {
		try (PostgresServer postgres = PostgresServer.start()) {
			World own = World.on(TestServers.nats(), postgres);
			AnnotationConfigApplicationContext application = own
				.start(WorldApplication.of(new Accounts()).customize(G9SilentDatabaseIT::patientPool));
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			own.publish(World.ACME, "a", 1, 1);
			await().until(() -> own.version(World.ACME, "a") == 1);
			projectors.stop(Accounts.PROJECTOR);
			postgres.kill();
			AtomicBoolean interrupted = new AtomicBoolean();
			Thread starting = new Thread(() -> {
				assertThatExceptionOfType(ProjectorStartException.class)
					.isThrownBy(() -> projectors.start(Accounts.PROJECTOR))
					.withMessageContaining("was stopped while it started");
				interrupted.set(Thread.interrupted());
			}, "starting");
			starting.start();
			await().until(() -> isAtWork("starting"));
			Elapsed took = close(application);
			System.out.printf("stop during a start without PostgreSQL: %s%n", took);
			await().until(() -> !starting.isAlive());
			postgres.restart();
			own.close();
			took.assertWithin(LONGEST_STOP);
			assertThat(interrupted).as("the flag of the thread that asked for the start").isFalse();
		}
	}

	/**
	 * Without the pool, which in its turn waits for connections that it is opening, as
	 * long as for any.
	 */
	private static Elapsed close(AnnotationConfigApplicationContext application) {
		HikariDataSource pool = application.getBean(HikariDataSource.class);
		Elapsed took = Stopwatch.time(application::close);
		pool.close();
		return took;
	}

	/** As it is unless set, and left open by the application. */
	private static void patientPool(AnnotationConfigApplicationContext context) {
		WorldApplication.pool((pool) -> pool.setConnectionTimeout(30_000)).accept(context);
		String name = context.getBeanFactory().getBeanNamesForType(HikariDataSource.class, true, false)[0];
		((AbstractBeanDefinition) context.getBeanDefinition(name)).setDestroyMethodName("");
	}

	@Test
	void aProjectorThatStoppedWhilePostgresWasAwayStartsAgain() {
		try (PostgresServer postgres = PostgresServer.start();
				World own = World.on(TestServers.nats(), postgres);
				AnnotationConfigApplicationContext application = own.start(WorldApplication.of(new Accounts()))) {
			ProjectorRegistry projectors = application.getBean(ProjectorRegistry.class);
			own.publish(World.ACME, "a", 1, 1);
			await().until(() -> own.version(World.ACME, "a") == 1);
			postgres.kill();
			projectors.stop(Accounts.PROJECTOR);
			postgres.restart();
			projectors.start(Accounts.PROJECTOR);
			own.publish(World.ACME, "a", 2, 2);
			await().until(() -> own.version(World.ACME, "a") == 2);
		}
	}

	private static WorldApplication relay(RelayWorld world, Object... handlers) {
		return WorldApplication.of(handlers)
			.lease(LEASE)
			.customize((context) -> context.registerBean(RelayOptions.class, world::options));
	}

	private Consumer<AnnotationConfigApplicationContext> throughProxy(JdbcOptions options) {
		return (context) -> {
			context.registerBean(JdbcOptions.class, () -> options);
			WorldApplication
				.pool((pool) -> pool.setJdbcUrl(
						pool.getJdbcUrl().replace(":" + TestServers.postgres().port(), ":" + this.proxy.port())))
				.accept(context);
		};
	}

	static class Unordered {

		private final Consumer<Deposited> before;

		@Autowired
		private JdbcTemplate jdbc;

		Unordered(Consumer<Deposited> before) {
			this.before = before;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "unordered",
				ordering = Ordering.NONE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.before.accept(event);
			this.jdbc.update("insert into applied values (?)", event.version());
		}

	}

}
