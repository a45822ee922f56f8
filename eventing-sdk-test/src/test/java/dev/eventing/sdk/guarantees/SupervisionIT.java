package dev.eventing.sdk.guarantees;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.observability.DeadLetterHealthIndicator;
import dev.eventing.sdk.observability.EventingHealthIndicator;
import dev.eventing.sdk.observability.ProjectorMetrics;
import dev.eventing.sdk.observability.RelayHealthIndicator;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * No thread of the SDK ends by itself, and health tells of progress: each kind of thread
 * is struck here by what used to end it.
 */
@Tag("crash")
class SupervisionIT {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final String RELAY_POSITIONS = "lock table eventing.relay_positions in exclusive mode";

	private World world;

	private FaultyDataSource database;

	@BeforeEach
	void create() {
		this.world = World.create();
		this.database = faulty();
	}

	private FaultyDataSource faulty() {
		return new FaultyDataSource(World.dataSource(this.world.jdbcUrl()));
	}

	@AfterEach
	void close() {
		this.world.close();
		((HikariDataSource) this.database.getTargetDataSource()).close();
	}

	private AnnotationConfigApplicationContext start(Object... handlers) {
		return this.world.start(application(handlers));
	}

	private World.Application application(Object... handlers) {
		return World.Application.of(handlers).customize((context) -> FaultyDataSource.install(context, this.database));
	}

	private static Health health(AnnotationConfigApplicationContext application) {
		return new EventingHealthIndicator(application.getBean(ProjectorRegistry.class),
				application.getBean(NatsClient.class), application.getBean(Pruner.class))
			.health();
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	private static Status relayHealth(AnnotationConfigApplicationContext application) {
		return new RelayHealthIndicator(application.getBean(Relays.class)).health().getStatus();
	}

	private static Thread thread(String name) {
		return threads(name).findFirst().orElseThrow();
	}

	/** Those of the application that only publishes included. */
	private static Stream<Thread> threads(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(name));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		boolean interrupted = false;
		try {
			interrupted = !latch.await(1, TimeUnit.MINUTES);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static void awaitFor(Duration time) {
		await().pollDelay(time).until(() -> true);
	}

	private void awaitVersion(String account, long version) {
		await().atMost(PATIENCE).until(() -> this.world.version(World.ACME, account) == version);
	}

	@Nested
	class TheInterruptFlag {

		@ParameterizedTest
		@ValueSource(booleans = { true, false })
		void thatAHandlerLeavesSetEndsNoLane(boolean andThrows) {
			Accounts accounts = new Accounts((event) -> {
				Thread.currentThread().interrupt();
				if (andThrows && event.version() % 7 == 0 && event.amount() > 0) {
					throw new IllegalStateException("interrupted");
				}
			});
			ProjectorSettings settings = ProjectorSettings.builder()
				.maxDeliver(2)
				.batchSize(5)
				.concurrency(1)
				.retryDelay(Duration.ofMillis(1))
				.build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(accounts).with(settings))) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 6);
				SupervisionIT.this.world.publish(World.ACME, "b", 1, 14);
				SupervisionIT.this.world.publish(World.ACME, "c", 1, 1);
				awaitVersion("a", 6);
				awaitVersion("b", andThrows ? 6 : 14);
				awaitVersion("c", 1);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).inFlight()).isZero());
				assertThat(SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR)).hasSize(andThrows ? 8 : 0);
				assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}

	}

	@Nested
	class AnError {

		@Test
		void whileAPayloadIsBoundCostsOneDeadLetterAndNoLane() {
			try (AnnotationConfigApplicationContext application = start(new Binding())) {
				publish("a", 1);
				publish("broken", 1);
				publish("a", 2);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(World.status(application, Binding.PROJECTOR).counts().processed())
						.isEqualTo(2));
				await().atMost(PATIENCE)
					.untilAsserted(
							() -> assertThat(SupervisionIT.this.world.deadLetters(Binding.PROJECTOR)).singleElement()
								.satisfies((letter) -> assertThat(letter.failure().errorClass())
									.isEqualTo(NoClassDefFoundError.class.getName())));
			}
		}

		@Test
		void inAKeyExpressionCostsOneDeadLetterAndNotTheIntake() {
			try (AnnotationConfigApplicationContext application = start(new Keyed())) {
				publish("a", 1);
				publish("broken", 1);
				publish("a", 2);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(World.status(application, Keyed.PROJECTOR).counts().processed())
						.isEqualTo(2));
				assertThat(SupervisionIT.this.world.deadLetters(Keyed.PROJECTOR)).singleElement()
					.extracting(DeadLetter::reason)
					.isEqualTo("UNREADABLE:INVALID_KEY");
				assertThat(World.status(application, Keyed.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			}
		}

		private void publish(String account, long version) {
			SupervisionIT.this.world.publish(World.ACME, account, version, version);
		}

	}

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class EachThread {

		@ParameterizedTest
		@ValueSource(strings = { "accounts-lane-0", "accounts-intake" })
		void ofAProjectorGoesOnAfterAnError(String thread) {
			ProjectorSettings oneLane = ProjectorSettings.builder().concurrency(1).build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(new Accounts()).with(oneLane).lease(Duration.ofSeconds(1)))) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				SupervisionIT.this.world.publish(World.ACME, "a", 4, 6);
				await().atMost(PATIENCE).until(() -> fault.left().get() == 0);
				awaitVersion("a", 6);
				SupervisionIT.this.world.publish(World.ACME, "a", 7, 9);
				awaitVersion("a", 9);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
				assertThat(SupervisionIT.this.world.count("select count(*) from violations")).isZero();
			}
		}

		@ParameterizedTest
		@ValueSource(strings = { "accounts-redrives", "eventing-redrive-poll" })
		void thatRedrivesGoesOnAfterAnError(String thread) {
			AtomicBoolean refusing = new AtomicBoolean(true);
			Accounts accounts = new Accounts((event) -> {
				if (refusing.get()) {
					throw new Accounts.Refused();
				}
			});
			ProjectorSettings once = ProjectorSettings.builder().maxDeliver(1).build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(accounts).with(once))) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().atMost(PATIENCE)
					.until(() -> SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				refusing.set(false);
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				SupervisionIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				await().atMost(PATIENCE).until(() -> fault.left().get() == 0);
				awaitVersion("a", 1);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
		}

		@Test
		void thatRenewsLeasesGoesOnAfterAnError() {
			FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("eventing-leases", 2,
					new OutOfMemoryError("of the test"));
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				await().atMost(PATIENCE).until(() -> fault.left().get() == 0);
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				await().during(Duration.ofSeconds(2))
					.atMost(PATIENCE)
					.until(() -> state(application) == ProjectorState.RUNNING);
			}
		}

		/** While it owns, and while it tries to own the projector again. */
		@Test
		void thatOwnsAProjectorGoesOnAfterAnInterruptAndAfterAnError(CapturedOutput output) {
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				interrupt("accounts-owner", output);
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("accounts-owner", 2,
						new OutOfMemoryError("of the test"));
				SupervisionIT.this.world.takeLease("projector/accounts");
				await().atMost(PATIENCE).until(() -> fault.left().get() == 0);
				SupervisionIT.this.world.publish(World.ACME, "a", 2, 3);
				awaitVersion("a", 3);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
		}

		@Test
		void thatEndsTransactionsOfAFormerOwnerGoesOnAfterAnError() {
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application().lease(Duration.ofSeconds(1)))) {
				Leases leases = application.getBean(Leases.class);
				Objects.requireNonNull(leases.tryAcquire("test")).release();
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("eventing-takeover", 2,
						new OutOfMemoryError("of the test"));
				AtomicReference<Lease> taken = new AtomicReference<>();
				String ofTheFormerOwner = "select from eventing.lease_epochs where lease_name = 'test' for share";
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> SupervisionIT.this.world
					.whileHolding(ofTheFormerOwner, () -> taken.set(leases.tryAcquire("test"))));
				assertThat(fault.left()).hasValue(0);
				assertThat(taken.get()).isNotNull();
			}
		}

		/** A handler may take longer than the server waits for a sign of life. */
		@Test
		void thatShowsSignsOfLifeGoesOnAfterAnInterrupt(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			ProjectorSettings briefWait = ProjectorSettings.builder().ackWait(Duration.ofSeconds(1)).build();
			Accounts slow = new Accounts((event) -> awaitQuietly(free));
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(slow).with(briefWait))) {
				interrupt("eventing-signs-of-life", output);
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().atMost(PATIENCE).until(() -> slow.calls.size() == 1);
				await().during(Duration.ofMillis(2500))
					.atMost(Duration.ofSeconds(5))
					.until(() -> SupervisionIT.this.world.deliveries(Accounts.PROJECTOR) == 1);
				free.countDown();
				awaitVersion("a", 1);
				assertThat(state(application)).isEqualTo(ProjectorState.RUNNING);
			}
			finally {
				free.countDown();
			}
		}

		@Test
		void thatLooksForStalledProjectorsGoesOnAfterAnInterrupt(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(new Accounts((event) -> awaitQuietly(free)))
					.with(ProjectorSettings.builder().stalledAfter(Duration.ofMillis(100)).build()))) {
				interrupt("eventing-projector-watch", output);
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().atMost(PATIENCE).until(() -> output.getOut().contains("has made no progress for"));
				free.countDown();
				awaitVersion("a", 1);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
			finally {
				free.countDown();
			}
		}

		@Test
		void thatLooksForStalledRelaysGoesOnAfterAnInterrupt(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = relays
				.start(relays.options().withStalledAfter(Duration.ofMillis(100)))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				interrupt("eventing-relay-watch", output);
				SupervisionIT.this.world.whileHolding(RELAY_POSITIONS, () -> {
					relays.append(World.ACME, "account-1", 1);
					await().atMost(PATIENCE).until(() -> output.getOut().contains("has made no progress for"));
				});
				await().atMost(PATIENCE)
					.untilAsserted(
							() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
			}
		}

		/** As nobody does who does not stop it. */
		private static void interrupt(String thread, CapturedOutput output) {
			List<Thread> all = threads(thread).toList();
			assertThat(all).isNotEmpty();
			all.forEach(Thread::interrupt);
			await().until(
					() -> output.getOut().split("'" + thread + "' ended unexpectedly.", -1).length == all.size() + 1);
		}

		@ParameterizedTest
		@ValueSource(strings = { "accounts-intake", "eventing-redrive-poll" })
		void thatIsStruckAgainAndAgainShowsAndComesBackByItself(String thread) {
			try (AnnotationConfigApplicationContext application = start(new Accounts())) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RESTARTING));
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.detail()).contains(thread, "NoClassDefFoundError: of the test");
				assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				fault.left().set(0);
				SupervisionIT.this.world.publish(World.ACME, "a", 2, 2);
				awaitVersion("a", 2);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
			}
		}

		@ParameterizedTest
		@ValueSource(booleans = { true, false })
		void ofANodeThatStandsByTakesOverAfterAFailedTakeover(boolean error) {
			Throwable failure = error ? new OutOfMemoryError("of the test") : new SQLException("no more connections");
			World.Application owner = World.Application.of(new Accounts()).lease(Duration.ofSeconds(1));
			AnnotationConfigApplicationContext first = SupervisionIT.this.world.start(owner);
			try (AnnotationConfigApplicationContext second = SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				await().untilAsserted(() -> assertThat(state(second)).isEqualTo(ProjectorState.STANDBY));
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("accounts-owner", 3, failure);
				await().atMost(PATIENCE).until(fault::hasStruck);
				first.close();
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(second)).isEqualTo(ProjectorState.RUNNING));
			}
			finally {
				first.close();
			}
		}

		@ParameterizedTest
		@ValueSource(strings = { "relay-accounts", "relay-accounts-reader", "eventing-notifications" })
		void ofARelayGoesOnAfterAnError(String thread) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			World.Application publishing = RelayWorld.application(relays.options());
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(publishing.customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				if (thread.endsWith("notifications")) {
					endTheListener();
				}
				relays.append(World.ACME, "account-1", 2);
				await().atMost(PATIENCE).until(() -> {
					relays.append(World.ACME, "account-2", 1);
					return fault.left().get() == 0;
				});
				relays.awaitDrained();
				await().atMost(PATIENCE)
					.untilAsserted(
							() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		@ParameterizedTest
		@CsvSource({ "relay-accounts, RESTARTING", "relay-accounts-reader, FAILED" })
		void ofARelayThatIsStruckAgainAndAgainShowsAndComesBackByItself(String thread, RelayState shown) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(RelayWorld.application(relays.options()).customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				relays.append(World.ACME, "account-1", 1);
				await().atMost(PATIENCE).untilAsserted(() -> {
					assertThat(relayHealth(application)).isEqualTo(Status.DOWN);
					RelayStatus status = RelayWorld.status(application);
					assertThat(status.state()).isEqualTo(shown);
					assertThat(status.detail()).contains("OutOfMemoryError: of the test");
				});
				fault.left().set(0);
				relays.awaitDrained();
				await().atMost(PATIENCE).untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.UP));
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING);
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		private void listening(AnnotationConfigApplicationContext context) {
			context.registerBean(StoreOptions.class,
					() -> new StoreOptions("/test", EventSubjects.of("{category}.{tenant}.deposited"), true));
			FaultyDataSource.install(context, SupervisionIT.this.database);
		}

		private void endTheListener() {
			SupervisionIT.this.world.jdbc()
				.queryForList("select pg_terminate_backend(pid) from pg_stat_activity"
						+ " where datname = current_database() and query ilike 'listen%'", Boolean.class);
		}

		@Test
		void ofTheForwarderShowsAnErrorAndGoesOnAfterIt() {
			SupervisionIT.this.world.createDeadLetterStream();
			try (AnnotationConfigApplicationContext application = start(new Accounts((event) -> {
				throw new Accounts.Refused();
			}))) {
				DeadLetterForwarder forwarder = application.getBean(DeadLetterForwarder.class);
				SupervisionIT.this.world.forwarder().stop();
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(forwarder.status().state()).isEqualTo(ForwarderState.FORWARDING));
				DeadLetterHealthIndicator health = new DeadLetterHealthIndicator(forwarder);
				assertThat(health.health().getStatus()).isEqualTo(Status.UP);
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("dead-letter-forwarder",
						Integer.MAX_VALUE, new OutOfMemoryError("of the test"));
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(forwarder.status().state()).isEqualTo(ForwarderState.RESTARTING));
				assertThat(forwarder.status().detail()).contains("dead-letter-forwarder", "OutOfMemoryError");
				assertThat(health.health().getStatus()).isEqualTo(DeadLetterHealthIndicator.DEGRADED);
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().during(Duration.ofMillis(500))
					.atMost(PATIENCE)
					.until(() -> forwarder.status().state() == ForwarderState.RESTARTING);
				fault.left().set(0);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
				assertThat(forwarder.status().state()).isEqualTo(ForwarderState.FORWARDING);
				await().atMost(PATIENCE).until(() -> SupervisionIT.this.world.forwardedMessages() == 1);
			}
		}

		@Test
		void ofARelayIsStoppedThoughTheStopCameDuringThePauseAfterAnError() {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(RelayWorld.application(relays.options()).customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				SupervisionIT.this.database.failFor("relay-accounts", Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				relays.append(World.ACME, "account-1", 1);
				await().atMost(PATIENCE).until(() -> RelayWorld.status(application).detail().contains("4 times"));
				application.getBean(Relays.class).stop(RelayWorld.RELAY);
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STOPPED);
				assertThat(relayHealth(application)).isEqualTo(Status.UP);
			}
		}

		@Test
		void ofTheForwarderIsStoppedThoughTheStopCameDuringThePauseAfterAnError() {
			try (AnnotationConfigApplicationContext application = start(new Accounts())) {
				SupervisionIT.this.world.forwarder().stop();
				DeadLetterForwarder forwarder = application.getBean(DeadLetterForwarder.class);
				SupervisionIT.this.database.failFor("dead-letter-forwarder", Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				await().atMost(PATIENCE).until(() -> forwarder.status().detail().contains("4 times"));
				forwarder.stop();
				assertThat(forwarder.status().state()).isEqualTo(ForwarderState.STOPPED);
			}
		}

		/** What it has published it has not done before that is written down. */
		@Test
		void ofARelayThatFailsEachTimeItSavesDoesNotWorkAgainBeforeItSaved(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			AtomicInteger struck = new AtomicInteger();
			AtomicBoolean on = new AtomicBoolean();
			DataSource failing = failingToSave(on, struck);
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(RelayWorld.application(relays.options())
					.customize((context) -> context.registerBean("failing", DataSource.class, () -> failing,
							(definition) -> definition.setPrimary(true))))) {
				relays.append(World.ACME, "a", 1);
				relays.awaitDrained();
				on.set(true);
				relays.append(World.ACME, "a", 1);
				await().atMost(PATIENCE).until(() -> struck.get() >= 4);
				assertThat(output.getOut()).doesNotContain("'relay-accounts' works again");
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RESTARTING);
				on.set(false);
				relays.awaitDrained();
				await().atMost(PATIENCE).until(() -> output.getOut().contains("'relay-accounts' works again"));
				assertThat(output.getOut().split("'relay-accounts' ended unexpectedly", -1)).hasSize(2);
			}
		}

		/** Where the relay saves, and only there. */
		private DataSource failingToSave(AtomicBoolean on, AtomicInteger struck) {
			return new DelegatingDataSource(SupervisionIT.this.database) {

				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = super.getConnection();
					return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
							new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
								if (on.get() && method.getName().equals("prepareStatement") && isInSave()) {
									struck.incrementAndGet();
									throw new OutOfMemoryError("of the test");
								}
								try {
									return method.invoke(connection, arguments);
								}
								catch (InvocationTargetException ex) {
									throw ex.getTargetException();
								}
							});
				}

				private static boolean isInSave() {
					return StackWalker.getInstance()
						.walk((frames) -> frames.anyMatch((frame) -> frame.getMethodName().equals("save")
								&& frame.getClassName().endsWith("RelayRun")));
				}

				@Override
				public boolean isWrapperFor(Class<?> type) {
					return false;
				}

			};
		}

		@Test
		void ofThePrunerGoesOnAfterAnError() {
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world.start(pruning())) {
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("eventing-pruner", 2,
						new OutOfMemoryError("of the test"));
				await().atMost(PATIENCE).until(() -> fault.left().get() == 0);
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				World.savePlace(application);
				SupervisionIT.this.world.jdbc()
					.execute("update eventing.processed_events set processed_at = now() - interval '1 day'");
				await().atMost(PATIENCE)
					.until(() -> SupervisionIT.this.world.count("select count(*) from eventing.processed_events") == 0);
			}
		}

		static Stream<Throwable> failuresOfThePruner() {
			return Stream.of(new OutOfMemoryError("of the test"), new UnsupportedOperationException("of the test"),
					new SQLException("permission denied for table projector_positions", "42501"));
		}

		@ParameterizedTest
		@MethodSource("failuresOfThePruner")
		void ofThePrunerShowsWhyItFailsAndLeavesHealthUp(Throwable failure, CapturedOutput output) {
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world.start(pruning())) {
				FaultyDataSource.Fault fault = SupervisionIT.this.database.failFor("eventing-pruner", Integer.MAX_VALUE,
						failure);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getDetails()).extractingByKey("pruning")
						.asString()
						.contains(failure.getClass().getSimpleName() + ": " + failure.getMessage()));
				assertThat(health(application).getStatus()).isEqualTo(Status.UP);
				int struck = fault.thrownTimes().get();
				await().atMost(PATIENCE).until(() -> fault.thrownTimes().get() > struck + 2);
				assertThat(output.getOut().split("runing of processed events|'eventing-pruner' ended", -1)).hasSize(2);
				fault.left().set(0);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getDetails()).doesNotContainKey("pruning"));
			}
		}

		private World.Application pruning() {
			return application(new Accounts()).customize((context) -> context.registerBean(PruningOptions.class,
					() -> new PruningOptions(true, Duration.ofHours(1), Duration.ofMillis(100))));
		}

	}

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class TheHealth {

		@ParameterizedTest
		@EnumSource(value = Source.class, names = { "JETSTREAM", "EVENT_STORE" })
		void isDownWhileAHandlerDoesNotReturnAndTheLogSaysOnceWhere(Source source, CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			Accounts hanging = new Accounts((event) -> {
				if (event.account().equals("stuck")) {
					awaitQuietly(free);
				}
			});
			ProjectorSettings settings = ProjectorSettings.builder()
				.stalledAfter(Duration.ofMillis(500))
				.source(source)
				.build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(hanging).with(settings))) {
				DoubleSupplier stalled = stalledMeter(application);
				assertThat(stalled.getAsDouble()).isZero();
				if (source == Source.JETSTREAM) {
					SupervisionIT.this.world.publish(World.ACME, "stuck", 1, 1);
				}
				else {
					SupervisionIT.this.world.append(World.ACME, "stuck", 1, 1);
				}
				awaitStall(application, "accounts-lane-", output);
				assertThat(stalled.getAsDouble()).isEqualTo(1);
				free.countDown();
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				assertThat(stalled.getAsDouble()).isZero();
				awaitVersion("stuck", 1);
			}
			finally {
				free.countDown();
			}
		}

		@Test
		void isDownWhileAHandlerDoesNotReturnInARedriveAndTheLogSaysOnceWhere(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			AtomicBoolean redriving = new AtomicBoolean();
			Accounts hanging = new Accounts((event) -> {
				if (!redriving.get()) {
					throw new Accounts.Refused();
				}
				awaitQuietly(free);
			});
			ProjectorSettings once = ProjectorSettings.builder()
				.maxDeliver(1)
				.stalledAfter(Duration.ofMillis(500))
				.build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(hanging).with(once))) {
				SupervisionIT.this.world.publish(World.ACME, "stuck", 1, 1);
				await().atMost(PATIENCE)
					.until(() -> SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				redriving.set(true);
				SupervisionIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				awaitStall(application, "accounts-redrives", output);
				free.countDown();
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				await().atMost(PATIENCE)
					.until(() -> output.getOut().contains("'accounts-redrives' makes progress again."));
				awaitVersion("stuck", 1);
			}
			finally {
				free.countDown();
			}
		}

		/** One that only waits goes on by itself; what hangs does not. */
		@Test
		void isDownWhileAHandlerDoesNotReturnInARedriveThoughALaneWaitsForTheDatabase(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			AtomicBoolean redriving = new AtomicBoolean();
			Accounts hanging = new Accounts((event) -> {
				if (!redriving.get()) {
					throw new Accounts.Refused();
				}
				awaitQuietly(free);
			});
			Event<Deposited> other = SupervisionIT.this.world.deposit(World.ACME, "other", 1);
			JdbcOptions impatient = new JdbcOptions(Duration.ofSeconds(1), Duration.ofSeconds(1));
			ProjectorSettings once = ProjectorSettings.builder()
				.maxDeliver(1)
				.stalledAfter(Duration.ofSeconds(2))
				.build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(hanging).with(once)
					.customize((context) -> context.registerBean(JdbcOptions.class, () -> impatient)))) {
				SupervisionIT.this.world.publish(World.ACME, "stuck", 1, 1);
				await().atMost(PATIENCE)
					.until(() -> SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				redriving.set(true);
				SupervisionIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.STALLED));
				SupervisionIT.this.world.whileHolding("""
						insert into eventing.processed_events (projector_name, event_id, tenant_id)
						values ('accounts', '%s', 'acme')""".formatted(other.id()), () -> {
					SupervisionIT.this.world.publish(other);
					await().atMost(PATIENCE).until(() -> output.getOut().contains("'accounts' waits for its database"));
					await().during(Duration.ofSeconds(2))
						.atMost(Duration.ofSeconds(3))
						.until(() -> state(application) == ProjectorState.STALLED);
				});
				assertThat(output.getOut()).doesNotContain("'accounts-redrives' goes on.");
				free.countDown();
				awaitVersion("stuck", 1);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
			}
			finally {
				free.countDown();
			}
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void isUpWhileManyHandlersOfATransactionTakeLongerThanEachMay(boolean redriven) {
			AtomicBoolean broken = new AtomicBoolean(redriven);
			Accounts slow = new Accounts((event) -> {
				if (broken.get()) {
					throw new Accounts.Refused();
				}
				awaitFor(Duration.ofMillis(100));
			});
			for (int account = 0; account < 30; account++) {
				SupervisionIT.this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			ProjectorSettings oneLane = ProjectorSettings.builder()
				.maxDeliver(1)
				.concurrency(1)
				.stalledAfter(Duration.ofSeconds(1))
				.build();
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(application(slow).with(oneLane))) {
				if (redriven) {
					await().atMost(PATIENCE)
						.until(() -> SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 30);
					broken.set(false);
					SupervisionIT.this.world.operators()
						.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				}
				await().atMost(PATIENCE)
					.failFast("it stalls", () -> state(application) == ProjectorState.STALLED)
					.until(() -> SupervisionIT.this.world.count("select count(*) from account") == 30);
			}
		}

		private static void awaitStall(AnnotationConfigApplicationContext application, String thread,
				CapturedOutput output) {
			await().atMost(PATIENCE)
				.untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.STALLED));
			assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
			await().atMost(PATIENCE).until(() -> output.getOut().contains("has made no progress for"));
			await().during(Duration.ofMillis(2500))
				.atMost(Duration.ofSeconds(5))
				.until(() -> output.getOut().split("has made no progress for", -1).length == 2);
			assertThat(output.getOut()).contains("'" + thread, "stuck'. Its thread is at",
					"awaitQuietly(SupervisionIT.java:");
		}

		private static DoubleSupplier stalledMeter(AnnotationConfigApplicationContext application) {
			SimpleMeterRegistry meters = new SimpleMeterRegistry();
			new ProjectorMetrics(application.getBean(ProjectorRegistry.class),
					application.getBean(ProjectorProgress.class), application.getBean(DeadLetters.class),
					application.getBean(Pruner.class))
				.bindTo(meters);
			return meters.get("eventing.projector.stalled").tag("projector", Accounts.PROJECTOR).gauge()::value;
		}

		/** What it published cannot be written down. */
		@Test
		void isDownWhileARelayDoesNotGetOnAndTheLogSaysOnceWhere(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = relays
				.start(relays.options().withStalledAfter(Duration.ofMillis(500)))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				SupervisionIT.this.world.whileHolding(RELAY_POSITIONS, () -> {
					relays.append(World.ACME, "account-1", 1);
					await().atMost(PATIENCE)
						.untilAsserted(
								() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STALLED));
					assertThat(RelayWorld.status(application).detail()).contains("though events wait");
					assertThat(relayHealth(application)).isEqualTo(Status.DOWN);
					await().atMost(PATIENCE).until(() -> output.getOut().contains("has made no progress for"));
					await().during(Duration.ofMillis(1500))
						.atMost(Duration.ofSeconds(3))
						.until(() -> output.getOut().split("has made no progress for", -1).length == 2);
					assertThat(output.getOut()).contains("'relay-accounts' has made no progress for",
							"Its thread is at:", "dev.eventing.sdk.relay.RelayRun.save(");
				});
				await().atMost(PATIENCE)
					.untilAsserted(
							() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
				assertThat(relayHealth(application)).isEqualTo(Status.UP);
				await().atMost(PATIENCE)
					.until(() -> output.getOut().contains("'relay-accounts' makes progress again."));
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		/**
		 * Its statements end by themselves before it is taken for stalled, as by default,
		 * and it begins again and again.
		 */
		@Test
		void isDownAsLongAsARelayCannotSaveThoughItsStatementsEndByThemselves(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(RelayWorld.application(relays.options().withStalledAfter(Duration.ofSeconds(4)))
					.customize((context) -> context.registerBean(JdbcOptions.class,
							() -> new JdbcOptions(Duration.ofSeconds(1), Duration.ofSeconds(30)))))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				SupervisionIT.this.world.whileHolding("select 1 from eventing.relay_positions for update", () -> {
					relays.append(World.ACME, "account-1", 1);
					await().atMost(PATIENCE)
						.untilAsserted(
								() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STALLED));
					await().pollInterval(Duration.ofMillis(20))
						.during(Duration.ofSeconds(4))
						.atMost(Duration.ofSeconds(6))
						.until(() -> relayHealth(application).equals(Status.DOWN));
				});
				assertThat(output.getOut().split("has stood still for", -1)).hasSize(2);
				assertThat(output.getOut().split("is WAITING_FOR_DATABASE and goes on by itself", -1)).hasSize(2);
				relays.awaitDrained();
				await().atMost(PATIENCE).untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.UP));
				await().atMost(PATIENCE).until(() -> output.getOut().contains("'relay-accounts' goes on."));
			}
		}

		/**
		 * It gives itself up, as its checkpoint was set back and the intake moves it past
		 * an event of others; what would begin it again is kept from doing so for some
		 * seconds.
		 */
		@Test
		void isDownWhileAProjectorHasEndedWithoutBeingStopped() {
			World.Application reading = application(new Accounts())
				.with(ProjectorSettings.builder().source(Source.EVENT_STORE).build());
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world.start(reading)) {
				SupervisionIT.this.world.append(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				await().until(() -> SupervisionIT.this.world.checkpoint(Accounts.PROJECTOR) > 0);
				strikeUntilItPausesForSeconds(thread("accounts-owner"));
				assertThat(World.status(application, Accounts.PROJECTOR).detail()).contains("accounts-owner");
				assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				SupervisionIT.this.world.jdbc()
					.update("update eventing.projector_checkpoints set position = position - 1");
				SupervisionIT.this.world.inTransaction((store) -> store.append(World.ACME, "other-a",
						ExpectedVersion.any(), NewEvent.of(new Deposited("a", 2, 2))));
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
						.isEqualTo("it ended without being stopped"));
				assertThat(state(application)).isEqualTo(ProjectorState.RESTARTING);
				assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				SupervisionIT.this.world.append(World.ACME, "a", 2, 2);
				awaitVersion("a", 2);
			}
		}

		/** Each failure in a row doubles the pause before it begins again. */
		private static void strikeUntilItPausesForSeconds(Thread thread) {
			for (int strike = 1; strike <= 6; strike++) {
				thread.interrupt();
				await().pollInterval(Duration.ofMillis(5)).until(() -> pauses(thread));
				if (strike < 6) {
					thread.interrupt(); // ends the pause
					await().pollInterval(Duration.ofMillis(5)).until(() -> !pauses(thread));
				}
			}
		}

		private static boolean pauses(Thread thread) {
			return Stream.of(thread.getStackTrace())
				.anyMatch((frame) -> frame.getMethodName().equals("isStoppedWithin"));
		}

		@Test
		void doesNotTakeARetryThatWaitsForAStall() {
			ProjectorSettings settings = ProjectorSettings.builder()
				.maxDeliver(100)
				.retryDelay(Duration.ofMinutes(1))
				.retryMaxDelay(Duration.ofMinutes(1))
				.stalledAfter(Duration.ofMillis(500))
				.build();
			Accounts failing = new Accounts((event) -> {
				throw new Accounts.Refused();
			});
			try (AnnotationConfigApplicationContext application = SupervisionIT.this.world
				.start(World.Application.of(failing).with(settings))) {
				SupervisionIT.this.world.publish(World.ACME, "a", 1, 2);
				await().atMost(PATIENCE)
					.until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() > 0);
				await().during(Duration.ofSeconds(2))
					.atMost(Duration.ofSeconds(4))
					.until(() -> health(application).getStatus().equals(Status.UP));
			}
		}

		@Test
		void saysThatARelayWaitsWhileItsLeaseIsNotRenewed() {
			RelayWorld relays = new RelayWorld(SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = relays.start(relays.options())) {
				await().atMost(PATIENCE).until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
				relays.transaction().executeWithoutResult((status) -> {
					relays.lockLeases();
					await().atMost(PATIENCE)
						.until(() -> RelayWorld.status(application).state() == RelayState.WAITING_FOR_DATABASE);
					assertThat(relayHealth(application)).isEqualTo(Status.OUT_OF_SERVICE);
				});
				await().atMost(PATIENCE).until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
			}
		}

	}

	/** Takes payloads of a class that cannot be made for one account. */
	static class Binding {

		static final String PROJECTOR = "binding";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 10)
		public void on(Binding.Deposited event) {
			assertThat(event.account()).isNotEqualTo("broken");
		}

		record Deposited(String account, long version, long amount) {

			Deposited {
				if (account.equals("broken")) {
					throw new NoClassDefFoundError("of the test");
				}
			}

		}

	}

	/** Keeps order by what cannot be told of one account. */
	static class Keyed {

		static final String PROJECTOR = "keyed";

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 10,
				key = "payload.owner")
		public void on(Keyed.Deposited event) {
			assertThat(event.account()).isNotEqualTo("broken");
		}

		public record Deposited(String account, long version, long amount) {

			public String getOwner() {
				if (this.account.equals("broken")) {
					throw new NoClassDefFoundError("of the test");
				}
				return this.account;
			}

		}

	}

}
