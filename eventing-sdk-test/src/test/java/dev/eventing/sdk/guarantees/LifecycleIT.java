package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.deadletter.forward.ForwardingWorker;
import dev.eventing.sdk.projection.reconcile.ReconciliationSchedule;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.container.ProjectorContainers;
import dev.eventing.sdk.projector.pruning.PruningWorker;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.worker.PartsLifecycle;
import dev.eventing.sdk.worker.RunningPart;
import io.nats.client.api.ConsumerInfo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Projectors are stopped, started and paused by name, under load, at no cost. */
class LifecycleIT {

	private final CountDownLatch never = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	@Test
	void takesNothingInWhilePausedAndGoesOnWhenResumed() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			registry.pause(Accounts.PROJECTOR);
			assertThat(state(application)).isEqualTo(ProjectorState.PAUSED);
			await().untilAsserted(() -> assertThat(openRequests()).isZero());
			this.world.publish(World.ACME, "a", 2, 3);
			Steady.holds(Duration.ofSeconds(1), () -> this.world.version(World.ACME, "a") == 1);
			registry.resume(Accounts.PROJECTOR);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(state(application)).isEqualTo(ProjectorState.RUNNING);
		}
	}

	/** A thread that is interrupted does not wait for the stop that it asked for. */
	@Test
	void aStartThatComesBeforeTheStopHasEndedIsNotLost() {
		RelayWorld relays = new RelayWorld(this.world);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts())
			.customize((context) -> context.registerBean(RelayOptions.class, relays::options)))) {
			PartsLifecycle lifecycle = application.getBean("eventingParts", PartsLifecycle.class);
			for (int round = 0; round < 5; round++) {
				Thread.currentThread().interrupt();
				lifecycle.stop();
				assertThat(Thread.interrupted()).isTrue();
				lifecycle.start();
				assertThat(lifecycle.isRunning()).isTrue();
				assertThat(application.getBeansOfType(RunningPart.class).values())
					.hasAtLeastOneElementOfType(Relays.class)
					.hasAtLeastOneElementOfType(ForwardingWorker.class)
					.hasAtLeastOneElementOfType(PruningWorker.class)
					.hasAtLeastOneElementOfType(ProjectorContainers.class)
					.filteredOn((part) -> !(part instanceof ReconciliationSchedule)) // no
																						// checks
					.allSatisfy((part) -> assertThat(part.isRunning()).isTrue());
			}
			await().until(() -> RelayWorld.status(application).state() == RelayState.RUNNING);
			relays.append(World.ACME, "a", 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	@Test
	void staysPausedAcrossAStopAndAStart() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			registry.pause(Accounts.PROJECTOR);
			registry.stop(Accounts.PROJECTOR);
			assertThat(state(application)).isEqualTo(ProjectorState.STOPPED);
			registry.start(Accounts.PROJECTOR);
			assertThat(state(application)).isEqualTo(ProjectorState.PAUSED);
			registry.resume(Accounts.PROJECTOR);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	@Test
	void appliesEachEventOnceAndInOrderOverManyStopsAndStartsUnderLoad() {
		ProjectorSettings twoLanes = ProjectorSettings.builder().batchSize(20).concurrency(2).build();
		try (AnnotationConfigApplicationContext application = start(twoLanes);
				Load load = Load.of(this.world, 40, Duration.ofMillis(10))) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			for (int cycle = 0; cycle < 20; cycle++) {
				long before = World.status(application, Accounts.PROJECTOR).counts().processed();
				await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() > before + 20);
				registry.stop(Accounts.PROJECTOR);
				assertThat(state(application)).isEqualTo(ProjectorState.STOPPED);
				registry.start(Accounts.PROJECTOR);
			}
			load.stopAndAwaitAll();
			new Outage(this.world, application).leavesNoTrace();
		}
	}

	/** Without an order to keep, nothing else brings them before that. */
	@Test
	void givesBackWhatItDoesNotBeginSoThatNobodyWaitsForTheAckWait() {
		ProjectorSettings unordered = ProjectorSettings.builder()
			.ackWait(Duration.ofSeconds(30))
			.batchSize(100)
			.concurrency(1)
			.ordering(Ordering.NONE)
			.build();
		int events = 1000;
		for (int account = 0; account < events; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(unordered))) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			for (int stops = 0; stops < 5; stops++) {
				int before = accounts.calls.size();
				await().pollInterval(Duration.ofMillis(1)).until(() -> accounts.calls.size() > before);
				registry.stop(Accounts.PROJECTOR);
				registry.start(Accounts.PROJECTOR);
			}
			await().until(() -> this.world.count("select count(*) from account") == events);
			assertThat(accounts.calls).hasSize(events);
		}
	}

	@Test
	void keepsADeliveryAliveThatTakesLongerThanItsAckWait() {
		Accounts slow = new Accounts((event) -> takeLong());
		ProjectorSettings impatient = ProjectorSettings.builder().ackWait(Duration.ofSeconds(3)).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(slow).with(impatient))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 1);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(durable().getDelivered().getConsumerSequence()).as("deliveries").isEqualTo(1);
			assertThat(slow.calls).hasSize(1);
		}
	}

	private void takeLong() {
		try {
			assertThat(this.never.await(7, TimeUnit.SECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private AnnotationConfigApplicationContext start(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(new Accounts()).with(settings));
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	private long openRequests() {
		return durable().getNumWaiting();
	}

	private ConsumerInfo durable() {
		return this.world.jetStream(
				(management) -> management.getConsumerInfo(this.world.stream(), Accounts.PROJECTOR + "-consumer"));
	}

}
