package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G3: concurrent deliveries of one event (two nodes, expired ack wait) apply it once: the
 * insert comes first and is the lock.
 */
class G3ConcurrentDeliveriesIT {

	private static final ProjectorSettings COMPETING = ProjectorSettings.builder()
		.ackWait(Duration.ofSeconds(1))
		.ordering(Ordering.NONE)
		.build();

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	@AfterEach
	void freeHandlers() {
		this.goOn.countDown();
	}

	@Test
	void appliesOnceWhenTheAckWaitEndsWhileTheHandlerRuns() {
		Accounts slow = new Accounts((event) -> holdUp());
		Accounts other = new Accounts();
		try (AnnotationConfigApplicationContext first = start(slow)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.begun.getCount() == 0);
			first.getBean(NatsClient.class).close(); // no sign of life any more, no
														// acknowledgement later
			try (AnnotationConfigApplicationContext second = start(other)) {
				awaitSomebodyWaitingForTheClaim();
				this.goOn.countDown();
				await().until(() -> World.status(second, Accounts.PROJECTOR).counts().duplicates() == 1);
			}
		}
		assertThat(other.calls).isEmpty();
		assertThat(slow.calls).hasSize(1);
		assertThat(this.world.count("select total from account")).isEqualTo(1);
	}

	@Test
	void appliesOnTheOtherNodeWhenTheFirstRollsBack() {
		AtomicBoolean failed = new AtomicBoolean();
		Accounts slow = new Accounts((event) -> {
			holdUp();
			failed.set(true);
			throw new Accounts.Refused();
		});
		Accounts other = new Accounts();
		try (AnnotationConfigApplicationContext first = start(slow)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.begun.getCount() == 0);
			first.getBean(NatsClient.class).close();
			try (AnnotationConfigApplicationContext second = start(other)) {
				awaitSomebodyWaitingForTheClaim();
				assertThat(other.calls).isEmpty();
				this.goOn.countDown();
				await().until(() -> World.status(second, Accounts.PROJECTOR).counts().processed() == 1);
			}
		}
		assertThat(failed).isTrue();
		assertThat(this.world.count("select total from account")).isEqualTo(1);
	}

	@Test
	void sharesEventsAmongNodesAndAppliesEachOnce() {
		Accounts one = new Accounts();
		Accounts two = new Accounts();
		try (AnnotationConfigApplicationContext first = start(one);
				AnnotationConfigApplicationContext second = start(two)) {
			int[] accounts = { 0 };
			await("both have a share").until(() -> {
				for (int account = 0; account < 500; account++) {
					this.world.publish(World.ACME, "a" + accounts[0]++, 1, 1);
				}
				await().until(() -> this.world.count("select count(*) from account") == accounts[0]);
				return !one.calls.isEmpty() && !two.calls.isEmpty();
			});
			assertThat(first.isActive() && second.isActive()).isTrue();
			assertThat(one.calls.size() + two.calls.size()).isEqualTo(accounts[0]);
		}
	}

	private AnnotationConfigApplicationContext start(Accounts accounts) {
		return this.world.start(WorldApplication.of(accounts).with(COMPETING));
	}

	private void holdUp() {
		this.begun.countDown();
		try {
			this.goOn.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void awaitSomebodyWaitingForTheClaim() {
		await().until(() -> this.world
			.count("""
					select count(*) from pg_stat_activity
					 where wait_event_type = 'Lock' and query like '%processed_events%' and datname = current_database()""") > 0);
	}

}
