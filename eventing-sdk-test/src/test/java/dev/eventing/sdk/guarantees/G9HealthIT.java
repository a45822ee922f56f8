package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.deadletter.forward.ForwardingWorker;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.observability.ProjectorMetrics;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Steady;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G9: health shows what stalls, waits, ends or is stopped. */
@Tag("crash")
class G9HealthIT extends StruckThreads {

	private static void awaitFor(Duration time) {
		await().pollDelay(time).until(() -> true);
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
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(application(hanging).with(settings))) {
				DoubleSupplier stalled = stalledMeter(application);
				assertThat(stalled.getAsDouble()).isZero();
				if (source == Source.JETSTREAM) {
					G9HealthIT.this.world.publish(World.ACME, "stuck", 1, 1);
				}
				else {
					G9HealthIT.this.world.append(World.ACME, "stuck", 1, 1);
				}
				awaitStall(application, "accounts-lane-", output);
				await().until(() -> stalled.getAsDouble() == 1);
				free.countDown();
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				await().until(() -> stalled.getAsDouble() == 0);
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
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(application(hanging).with(once))) {
				G9HealthIT.this.world.publish(World.ACME, "stuck", 1, 1);
				await().until(() -> G9HealthIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				redriving.set(true);
				G9HealthIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				awaitStall(application, "accounts-redrives", output);
				free.countDown();
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				await().until(() -> output.getOut().contains("'accounts-redrives' makes progress again"));
				awaitVersion("stuck", 1);
			}
			finally {
				free.countDown();
			}
		}

		/** One that only waits continues by itself; what hangs does not. */
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
			Event<Deposited> other = G9HealthIT.this.world.deposit(World.ACME, "other", 1);
			JdbcOptions impatient = new JdbcOptions(Duration.ofSeconds(1), Duration.ofSeconds(1));
			ProjectorSettings once = ProjectorSettings.builder()
				.maxDeliver(1)
				.stalledAfter(Duration.ofSeconds(2))
				.build();
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(application(hanging).with(once)
					.customize((context) -> context.registerBean(JdbcOptions.class, () -> impatient)))) {
				G9HealthIT.this.world.publish(World.ACME, "stuck", 1, 1);
				await().until(() -> G9HealthIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
				redriving.set(true);
				G9HealthIT.this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.STALLED));
				G9HealthIT.this.world.whileHolding("""
						insert into eventing.processed_events (projector_name, event_id, tenant_id)
						values ('accounts', '%s', 'acme')""".formatted(other.id()), () -> {
					G9HealthIT.this.world.publish(other);
					await().until(() -> output.getOut().contains("'accounts' waits for its database"));
					Steady.holds(Duration.ofSeconds(2), () -> state(application) == ProjectorState.STALLED);
				});
				assertThat(output.getOut()).doesNotContain("'accounts-redrives' goes on.");
				free.countDown();
				awaitVersion("stuck", 1);
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
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
				awaitFor(Duration.ofMillis(150));
			});
			for (int account = 0; account < 30; account++) {
				G9HealthIT.this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			ProjectorSettings oneLane = ProjectorSettings.builder()
				.maxDeliver(1)
				.concurrency(1)
				.stalledAfter(Duration.ofSeconds(3)) // a machine may stand for a second
				.build();
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(application(slow).with(oneLane))) {
				if (redriven) {
					await().until(() -> G9HealthIT.this.world.deadLetters(Accounts.PROJECTOR).size() == 30);
					broken.set(false);
					G9HealthIT.this.world.operators()
						.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "test"));
				}
				await().failFast("it stalls", () -> state(application) == ProjectorState.STALLED)
					.until(() -> G9HealthIT.this.world.count("select count(*) from account") == 30);
			}
		}

		private static void awaitStall(AnnotationConfigApplicationContext application, String thread,
				CapturedOutput output) {
			await().untilAsserted(() -> assertThat(state(application)).isEqualTo(ProjectorState.STALLED));
			await().until(() -> health(application).getStatus().equals(Status.DOWN));
			await().until(() -> output.getOut().contains("has made no progress for"));
			Steady.holds(Duration.ofMillis(2500),
					() -> output.getOut().split("has made no progress for", -1).length == 2);
			assertThat(output.getOut()).contains("'" + thread, "stuck'. Its thread is at",
					"awaitQuietly(StruckThreads.java:");
		}

		private static DoubleSupplier stalledMeter(AnnotationConfigApplicationContext application) {
			SimpleMeterRegistry meters = new SimpleMeterRegistry();
			new ProjectorMetrics(application.getBean(ProjectorRegistry.class),
					application.getBean(ProjectorProgress.class), application.getBean(DeadLetters.class),
					application.getBean(Pruner.class))
				.bindTo(meters);
			return meters.get("eventing.projector.stalled").tag("projector", Accounts.PROJECTOR).gauge()::value;
		}

		/** Its position cannot be saved. */
		@Test
		void isDownWhileARelayDoesNotGetOnAndTheLogSaysOnceWhere(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(G9HealthIT.this.world);
			try (AnnotationConfigApplicationContext application = relays
				.start(relays.options().withStalledAfter(Duration.ofMillis(500)))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				G9HealthIT.this.world.whileHolding(RELAY_POSITIONS, () -> {
					relays.append(World.ACME, "account-1", 1);
					await().untilAsserted(() -> {
						assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STALLED);
						assertThat(RelayWorld.status(application).detail()).contains("though events wait");
						assertThat(relayHealth(application)).isEqualTo(Status.DOWN);
					});
					await().until(() -> output.getOut().contains("has made no progress for"));
					Steady.holds(Duration.ofMillis(1500),
							() -> output.getOut().split("has made no progress for", -1).length == 2);
					assertThat(output.getOut()).contains("'relay-accounts' has made no progress for",
							"Its thread is at:", "dev.eventing.sdk.relay.RelayCheckpoint.write(");
				});
				await().untilAsserted(
						() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.RUNNING));
				await().until(() -> relayHealth(application).equals(Status.UP));
				await().until(() -> output.getOut().contains("'relay-accounts' makes progress again"));
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				relays.assertThatTheStreamHoldsEverythingInOrder();
			}
		}

		/**
		 * Its statements end by themselves before it is treated as stalled, as by
		 * default, and it begins again and again.
		 */
		@Test
		void isDownAsLongAsARelayCannotSaveThoughItsStatementsEndByThemselves(CapturedOutput output) {
			RelayWorld relays = new RelayWorld(G9HealthIT.this.world);
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(RelayWorld.application(relays.options().withStalledAfter(Duration.ofSeconds(4)))
					.customize((context) -> {
						// a node that loses its lease stands by, and does not stall
						context.registerBean(LeaseOptions.class, () -> LeaseOptions.of(Duration.ofSeconds(30)));
						context.registerBean(JdbcOptions.class,
								() -> new JdbcOptions(Duration.ofSeconds(1), Duration.ofSeconds(30)));
					}))) {
				relays.append(World.ACME, "account-1", 1);
				relays.awaitDrained();
				G9HealthIT.this.world.whileHolding("select 1 from eventing.relays for update", () -> {
					relays.append(World.ACME, "account-1", 1);
					await().untilAsserted(
							() -> assertThat(RelayWorld.status(application).state()).isEqualTo(RelayState.STALLED));
					Steady.holds(Duration.ofSeconds(4), () -> relayHealth(application).equals(Status.DOWN));
				});
				assertThat(output.getOut().split("has made no progress for", -1)).hasSize(2);
				assertThat(output.getOut().split("is WAITING_FOR_DATABASE and continues automatically", -1)).hasSize(2);
				relays.awaitDrained();
				await().untilAsserted(() -> assertThat(relayHealth(application)).isEqualTo(Status.UP));
				await().until(() -> output.getOut().contains("'relay-accounts' makes progress again"));
			}
		}

		/**
		 * It gives itself up, as its checkpoint was set back and the intake moves it past
		 * an event of others; what would begin it again is kept from doing so for some
		 * seconds.
		 */
		@Test
		void isDownWhileAProjectorHasEndedWithoutBeingStopped() {
			WorldApplication reading = application(new Accounts())
				.with(ProjectorSettings.builder().source(Source.EVENT_STORE).build());
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world.start(reading)) {
				G9HealthIT.this.world.append(World.ACME, "a", 1, 1);
				awaitVersion("a", 1);
				await().until(() -> G9HealthIT.this.world.checkpoint(Accounts.PROJECTOR) > 0);
				strikeUntilItPausesForSeconds(thread("accounts-owner"));
				assertThat(World.status(application, Accounts.PROJECTOR).detail()).contains("accounts-owner");
				assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				G9HealthIT.this.world.jdbc()
					.update("update eventing.projector_checkpoints set position = position - 1");
				G9HealthIT.this.world.inTransaction((store) -> store.append(World.ACME, "other-a",
						ExpectedVersion.any(), NewEvent.of(new Deposited("a", 2, 2))));
				await().untilAsserted(() -> {
					assertThat(World.status(application, Accounts.PROJECTOR).detail())
						.isEqualTo("it ended without being stopped");
					assertThat(state(application)).isEqualTo(ProjectorState.RESTARTING);
					assertThat(health(application).getStatus()).isEqualTo(Status.DOWN);
				});
				await().untilAsserted(() -> assertThat(health(application).getStatus()).isEqualTo(Status.UP));
				G9HealthIT.this.world.append(World.ACME, "a", 2, 2);
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
			try (AnnotationConfigApplicationContext application = G9HealthIT.this.world
				.start(WorldApplication.of(failing).with(settings))) {
				G9HealthIT.this.world.publish(World.ACME, "a", 1, 2);
				await().until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() > 0);
				Steady.holds(Duration.ofSeconds(2), () -> health(application).getStatus().equals(Status.UP));
			}
		}

		@Test
		void saysThatARelayWaitsWhileItsLeaseIsNotRenewed() {
			RelayWorld relays = new RelayWorld(G9HealthIT.this.world);
			try (AnnotationConfigApplicationContext application = relays.start(relays.options())) {
				await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
				relays.transaction().executeWithoutResult((status) -> {
					relays.lockLeases();
					await().until(() -> RelayWorld.status(application).state() == RelayState.WAITING_FOR_DATABASE);
					await().until(() -> relayHealth(application).equals(Status.OUT_OF_SERVICE));
				});
				await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
			}
		}

		@Test
		void ofTheForwarderIsStoppedThoughTheStopCameDuringThePauseAfterAnError() {
			try (AnnotationConfigApplicationContext application = start(new Accounts())) {
				G9HealthIT.this.world.forwarder().stop();
				ForwardingWorker forwarder = application.getBean(ForwardingWorker.class);
				G9HealthIT.this.database.failFor("dead-letter-forwarder", Integer.MAX_VALUE,
						new OutOfMemoryError("of the test"));
				await().until(() -> forwarder.status().detail().contains("4 times"));
				forwarder.stop();
				assertThat(forwarder.status().state()).isEqualTo(ForwarderState.STOPPED);
			}
		}

	}

}
