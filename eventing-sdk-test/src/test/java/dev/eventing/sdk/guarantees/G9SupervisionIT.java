package dev.eventing.sdk.guarantees;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.observability.DeadLetterHealthIndicator;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G9: each kind of thread of the SDK is struck by what used to end it, and continues. */
@Tag("crash")
class G9SupervisionIT extends StruckThreads {

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class EachThread {

		@ParameterizedTest
		@ValueSource(strings = { "accounts-lane-0", "accounts-intake" })
		void ofAProjectorGoesOnAfterAnError(String thread) {
			ProjectorSettings oneLane = ProjectorSettings.builder().concurrency(1).build();
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(new Accounts()).with(oneLane).lease(Duration.ofSeconds(1)))) {
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				G9SupervisionIT.this.world.publish(World.ACME, "a", 4, 6);
				await().until(() -> fault.left().get() == 0);
				awaitVersion("a", 6);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 7, 9);
				awaitVersion("a", 9);
				await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
				assertThat(G9SupervisionIT.this.world.count("select count(*) from violations")).isZero();
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
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(accounts).with(once))) {
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().until(() -> G9SupervisionIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				refusing.set(false);
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				G9SupervisionIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				await().until(() -> fault.left().get() == 0);
				awaitVersion("a", 1);
				await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
		}

		@Test
		void thatRenewsLeasesGoesOnAfterAnError() {
			FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("eventing-leases-pool", 2,
					new OutOfMemoryError("of the test"));
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				await().until(() -> fault.left().get() == 0);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				// two renewals that failed may have cost the lease, which is taken again
				await().during(Duration.ofSeconds(2)).until(() -> state(application) == ProjectorState.RUNNING);
			}
		}

		/** While it owns, and while it tries to own the projector again. */
		@Test
		void thatOwnsAProjectorGoesOnAfterAnInterruptAndAfterAnError(CapturedOutput output) {
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				interrupt("accounts-owner", output);
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("accounts-owner", 2,
						new OutOfMemoryError("of the test"));
				G9SupervisionIT.this.world.takeLease("projector/accounts");
				await().until(() -> fault.left().get() == 0);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 2, 3);
				awaitVersion("a", 3);
				await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
		}

		@Test
		void thatEndsTransactionsOfAFormerOwnerGoesOnAfterAnError() {
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application().lease(Duration.ofSeconds(1)))) {
				Leases leases = application.getBean(Leases.class);
				Objects.requireNonNull(leases.tryAcquire("test")).release();
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("eventing-takeover", 2,
						new OutOfMemoryError("of the test"));
				AtomicReference<Lease> taken = new AtomicReference<>();
				String ofTheFormerOwner = "select from eventing.lease_epochs where lease_name = 'test' for share";
				assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> G9SupervisionIT.this.world
					.whileHolding(ofTheFormerOwner, () -> taken.set(leases.tryAcquire("test"))));
				assertThat(fault.left()).hasValue(0);
				assertThat(taken.get()).isNotNull();
			}
		}

		/** A handler may take longer than the server waits for a sign of life. */
		@Test
		void thatSendsInProgressSignalsGoesOnAfterAnInterrupt(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			ProjectorSettings briefWait = ProjectorSettings.builder().ackWait(Duration.ofSeconds(3)).build();
			Accounts slow = new Accounts((event) -> awaitQuietly(free));
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(slow).with(briefWait))) {
				interrupt("eventing-in-progress", output);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().until(() -> slow.calls.size() == 1);
				Steady.holds(Duration.ofSeconds(7),
						() -> G9SupervisionIT.this.world.deliveries(Accounts.PROJECTOR) == 1);
				free.countDown();
				awaitVersion("a", 1);
				await().until(() -> state(application) == ProjectorState.RUNNING);
			}
			finally {
				free.countDown();
			}
		}

		@Test
		void thatLooksForStalledProjectorsGoesOnAfterAnInterrupt(CapturedOutput output) {
			CountDownLatch free = new CountDownLatch(1);
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(application(new Accounts((event) -> awaitQuietly(free)))
					.with(ProjectorSettings.builder().stalledAfter(Duration.ofMillis(100)).build()))) {
				interrupt("eventing-watch", output);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				await().until(() -> output.getOut().contains("has made no progress for"));
				free.countDown();
				awaitVersion("a", 1);
				await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.RUNNING));
			}
			finally {
				free.countDown();
			}
		}

		@Test
		void thatLooksForStalledRelaysGoesOnAfterAnInterrupt(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(G9SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = relays
				.start(relays.options().withStalledAfter(Duration.ofMillis(100)))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				interrupt("eventing-watch", output);
				G9SupervisionIT.this.world.whileHolding(RELAY_POSITIONS, () -> {
					relays.append(World.ACME, "account-1", 1);
					await().until(() -> output.getOut().contains("has made no progress for"));
				});
				await().untilAsserted(
						() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
			}
		}

		/** An interrupt that is no stop. */
		private void interrupt(String thread, CapturedOutput output) {
			List<Thread> all = threads(thread).toList();
			assertThat(all).isNotEmpty();
			all.forEach(Thread::interrupt);
			await().until(
					() -> output.getOut().split("'" + thread + "' ended unexpectedly.", -1).length == all.size() + 1);
		}

		/**
		 * The poll for redrives asks itself only while no look at the controls answers.
		 */
		@ParameterizedTest
		@CsvSource({ "accounts-intake, false", "eventing-redrive-poll, true", "eventing-projector-controls, false" })
		void thatIsStruckAgainAndAgainShowsAndComesBackByItself(String thread, boolean controlsAreSilent) {
			try (AnnotationConfigApplicationContext application = start(new Accounts())) {
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				FaultyDataSource.Fault silence = G9SupervisionIT.this.database.failFor("eventing-projector-controls",
						controlsAreSilent ? Integer.MAX_VALUE : 0, new SQLException("of the test"));
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				await().untilAsserted(() -> {
					ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
					assertThat(status.state()).isEqualTo(ProjectorState.RESTARTING);
					assertThat(status.detail()).contains(thread, "NoClassDefFoundError: of the test");
					assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				});
				silence.left().set(0);
				fault.left().set(0);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 2, 2);
				awaitVersion("a", 2);
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
			}
		}

		@ParameterizedTest
		@ValueSource(booleans = { true, false })
		void ofANodeThatStandsByTakesOverAfterAFailedTakeover(boolean error) {
			Throwable failure = error ? new OutOfMemoryError("of the test") : new SQLException("no more connections");
			WorldApplication owner = WorldApplication.of(new Accounts()).lease(Duration.ofSeconds(1));
			AnnotationConfigApplicationContext first = G9SupervisionIT.this.world.start(owner);
			try (AnnotationConfigApplicationContext second = G9SupervisionIT.this.world
				.start(application(new Accounts()).lease(Duration.ofSeconds(1)))) {
				await().untilAsserted(() -> assertThat(state(second)).isEqualTo(ProjectorState.STANDBY));
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("accounts-owner", 3, failure);
				await().until(fault::hasStruck);
				first.close();
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				await().untilAsserted(() -> assertThat(state(second)).isEqualTo(ProjectorState.RUNNING));
			}
			finally {
				first.close();
			}
		}

		@ParameterizedTest
		@ValueSource(strings = { "relay-accounts", "relay-accounts-reader", "relay-accounts-saver",
				"eventing-notifications" })
		void ofARelayGoesOnAfterAnError(String thread) {
			RelayWorld relays = new RelayWorld(G9SupervisionIT.this.world);
			WorldApplication publishing = RelayWorld.application(relays.options());
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(publishing.customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor(thread, 2,
						new OutOfMemoryError("of the test"));
				if (thread.endsWith("notifications")) {
					endTheListener();
				}
				relays.append(World.ACME, "account-1", 2);
				await().until(() -> {
					relays.append(World.ACME, "account-2", 1);
					return fault.left().get() == 0;
				});
				relays.awaitDrained();
				await().untilAsserted(
						() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		@ParameterizedTest
		@CsvSource({ "relay-accounts, RESTARTING", "relay-accounts-reader, RESTARTING" })
		void ofARelayThatIsStruckAgainAndAgainShowsAndComesBackByItself(String thread, RelayState shown) {
			RelayWorld relays = new RelayWorld(G9SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(RelayWorld.application(relays.options()).customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				relays.append(World.ACME, "account-1", 1);
				await().untilAsserted(() -> {
					assertThat(relayHealth(application)).isEqualTo(Status.DOWN);
					RelayStatus status = RelayWorld.status(application);
					assertThat(status.state()).isEqualTo(shown);
					assertThat(status.detail()).contains("OutOfMemoryError: of the test");
				});
				fault.left().set(0);
				relays.awaitDrained();
				await().untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.UP));
				await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		private void listening(AnnotationConfigApplicationContext context) {
			context.registerBean(StoreOptions.class,
					() -> new StoreOptions("/test", EventSubjects.of("{category}.{tenant}.deposited"), true));
			FaultyDataSource.install(context, G9SupervisionIT.this.database);
		}

		private void endTheListener() {
			G9SupervisionIT.this.world.jdbc()
				.queryForList("select pg_terminate_backend(pid) from pg_stat_activity"
						+ " where datname = current_database() and query ilike 'listen%'", Boolean.class);
		}

		@Test
		void ofTheForwarderShowsAnErrorAndGoesOnAfterIt() {
			G9SupervisionIT.this.world.deadLetterStream().create();
			try (AnnotationConfigApplicationContext application = start(new Accounts((event) -> {
				throw new Accounts.Refused();
			}))) {
				DeadLetterForwarder forwarder = application.getBean(DeadLetterForwarder.class);
				G9SupervisionIT.this.world.forwarder().stop();
				await()
					.untilAsserted(() -> assertThat(forwarder.status().state()).isEqualTo(ForwarderState.FORWARDING));
				DeadLetterHealthIndicator health = new DeadLetterHealthIndicator(forwarder);
				await().until(() -> health.health().getStatus().equals(Status.UP));
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("dead-letter-forwarder",
						Integer.MAX_VALUE, new OutOfMemoryError("of the test"));
				await().untilAsserted(() -> {
					assertThat(forwarder.status().state()).isEqualTo(ForwarderState.RESTARTING);
					assertThat(forwarder.status().detail()).contains("dead-letter-forwarder", "OutOfMemoryError");
					assertThat(health.health().getStatus()).isEqualTo(DeadLetterHealthIndicator.DEGRADED);
				});
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 1);
				Steady.holds(Duration.ofMillis(500), () -> forwarder.status().state() == ForwarderState.RESTARTING);
				fault.left().set(0);
				await().untilAsserted(() -> assertThat(health.health().getStatus()).isEqualTo(Status.UP));
				await().until(() -> forwarder.status().state() == ForwarderState.FORWARDING);
				await().until(() -> G9SupervisionIT.this.world.deadLetterStream().messages() == 1);
			}
		}

		@Test
		void ofARelayIsStoppedThoughTheStopCameDuringThePauseAfterAnError() {
			RelayWorld relays = new RelayWorld(G9SupervisionIT.this.world);
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(RelayWorld.application(relays.options()).customize(this::listening))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				G9SupervisionIT.this.database.failFor("relay-accounts", Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				relays.append(World.ACME, "account-1", 1);
				await().until(() -> RelayWorld.status(application).detail().contains("4 times"));
				application.getBean(Relays.class).stop(RelayWorld.RELAY);
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STOPPED);
				assertThat(relayHealth(application)).isEqualTo(Status.UP);
			}
		}

		/** Published events count only once the position is saved. */
		@Test
		void ofARelayThatFailsEachTimeItSavesDoesNotWorkAgainBeforeItSaved(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(G9SupervisionIT.this.world);
			AtomicInteger struck = new AtomicInteger();
			AtomicBoolean on = new AtomicBoolean();
			DataSource failing = failingToSave(on, struck);
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world
				.start(RelayWorld.application(relays.options())
					.customize((context) -> context.registerBean("failing", DataSource.class, () -> failing,
							(definition) -> definition.setPrimary(true))))) {
				relays.append(World.ACME, "a", 1);
				relays.awaitDrained();
				on.set(true);
				relays.append(World.ACME, "a", 1);
				await().until(() -> struck.get() >= 4);
				assertThat(output.getOut()).doesNotContain("'relay-accounts' works again");
				assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RESTARTING);
				on.set(false);
				relays.awaitDrained();
				await().until(() -> output.getOut().contains("'relay-accounts' works again"));
				assertThat(output.getOut().split("'relay-accounts' ended unexpectedly", -1)).hasSize(2);
			}
		}

		/** Where the relay saves, and only there. */
		private DataSource failingToSave(AtomicBoolean on, AtomicInteger struck) {
			return new DelegatingDataSource(G9SupervisionIT.this.database) {

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
						.walk((frames) -> frames.anyMatch((frame) -> frame.getMethodName().equals("write")
								&& frame.getClassName().endsWith("RelayCheckpoint")));
				}

				@Override
				public boolean isWrapperFor(Class<?> type) {
					return false;
				}

			};
		}

		@Test
		void ofThePrunerGoesOnAfterAnError() {
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world.start(pruning())) {
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("eventing-pruner", 2,
						new OutOfMemoryError("of the test"));
				await().until(() -> fault.left().get() == 0);
				G9SupervisionIT.this.world.publish(World.ACME, "a", 1, 3);
				awaitVersion("a", 3);
				World.savePlace(application);
				G9SupervisionIT.this.world.jdbc()
					.execute("update eventing.processed_events set processed_at = now() - interval '1 day'");
				await().until(
						() -> G9SupervisionIT.this.world.count("select count(*) from eventing.processed_events") == 0);
			}
		}

		static Stream<Throwable> failuresOfThePruner() {
			return Stream.of(new OutOfMemoryError("of the test"), new UnsupportedOperationException("of the test"),
					new SQLException("permission denied for table projector_positions", "42501"));
		}

		@ParameterizedTest
		@MethodSource("failuresOfThePruner")
		void ofThePrunerShowsWhyItFailsAndLeavesHealthUp(Throwable failure, CapturedOutput output) {
			// without the lines between earlier tests
			int before = output.getOut().length();
			try (AnnotationConfigApplicationContext application = G9SupervisionIT.this.world.start(pruning())) {
				FaultyDataSource.Fault fault = G9SupervisionIT.this.database.failFor("eventing-pruner",
						Integer.MAX_VALUE, failure);
				await().untilAsserted(() -> assertThat(health(application).getDetails()).extractingByKey("pruning")
					.asString()
					.contains(failure.getClass().getSimpleName() + ": " + failure.getMessage()));
				assertThat(health(application).getStatus()).isEqualTo(Status.UP);
				int struck = fault.thrownTimes().get();
				await().until(() -> fault.thrownTimes().get() > struck + 2);
				assertThat(output.getOut()
					.substring(before)
					.split("runing of processed events|'eventing-pruner' ended", -1)).hasSize(2);
				fault.left().set(0);
				await().untilAsserted(() -> assertThat(health(application).getDetails()).doesNotContainKey("pruning"));
			}
		}

		private WorldApplication pruning() {
			return application(new Accounts()).customize((context) -> context.registerBean(PruningOptions.class,
					() -> new PruningOptions(true, Duration.ofHours(1), Duration.ofMillis(100))));
		}

	}

}
