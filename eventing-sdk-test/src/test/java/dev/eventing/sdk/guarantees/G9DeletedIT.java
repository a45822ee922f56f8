package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: a projector whose durable or stream was deleted continues by itself within seconds.
 */
class G9DeletedIT {

	@AutoClose
	private final World world = World.create();

	@Test
	void makesADeletedDurableAnewFromWhereItStood() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts));
				Load load = Load.of(this.world, 10, Duration.ofMillis(20))) {
			Outage outage = new Outage(this.world, application);
			await().until(() -> savedFloor() > 1);
			long floor = savedFloor();
			this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), durable()));
			outage.endsByItself("a deleted durable");
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
			ConsumerInfo info = this.world
				.jetStream((management) -> management.getConsumerInfo(this.world.stream(), durable()));
			assertThat(info.getConsumerConfiguration().getStartSequence()).isGreaterThan(floor);
			assertThat(accounts.calls).doesNotHaveDuplicates();
		}
	}

	@Test
	void goesOnWithAStreamMadeAnewFromItsFirstEvent() {
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Accounts()))) {
			Outage outage = new Outage(this.world, application);
			this.world.publish(World.ACME, "old", 1, 50);
			await().until(() -> this.world.version(World.ACME, "old") == 50);
			World.savePlace(application);
			await().until(() -> savedFloor() == 50);
			this.world.jetStream((management) -> management.deleteStream(this.world.stream()));
			outage.shows(ProjectorState.FAILED, this.world.stream());
			this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.build()));
			this.world.publish(World.ACME, "new", 1, 3);
			outage.endsByItself("a stream made anew");
			await().until(() -> this.world.version(World.ACME, "new") == 3);
			World.savePlace(application);
			await().until(() -> savedFloor() == 4);
			outage.leavesNoTrace();
		}
	}

	@Test
	void settlesNoEventOfAStreamMadeAnewForOneOfTheFormerStream() {
		CountDownLatch former = new CountDownLatch(1);
		CountDownLatch anew = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			awaitLatch((event.version() == 1) ? former : anew);
		});
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(accounts))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> accounts.calls.size() == 1);
			this.world.jetStream((management) -> management.deleteStream(this.world.stream()));
			this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.build()));
			this.world.publish(World.ACME, "a", 2, 2);
			await().ignoreExceptions().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 1);
			former.countDown();
			await().until(() -> accounts.calls.size() == 2);
			await("the former event is committed").until(() -> this.world.version(World.ACME, "a") == 1);
			Steady.holds(Duration.ofSeconds(1), () -> this.world.unsettled(Accounts.PROJECTOR) == 1);
			anew.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 2);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(application.isActive()).isTrue();
		}
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static String durable() {
		return Accounts.PROJECTOR + "-consumer";
	}

	private long savedFloor() {
		return this.world.count("select coalesce(max(floor), 0) from eventing.projector_positions");
	}

}
