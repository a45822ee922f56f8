package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G9 for projectors that read the event store, which has nothing but PostgreSQL. */
class G9StoreFedOutageIT {

	private static final int OUTAGES = 3;

	@Test
	void goesOnByItselfAfterPostgresWasKilledAtWork() {
		ProjectorSettings settings = ProjectorSettings.builder()
			.maxDeliver(1)
			.batchSize(20)
			.concurrency(3)
			.source(Source.EVENT_STORE)
			.build();
		try (PostgresServer postgres = PostgresServer.start();
				World world = World.on(TestServers.nats(), postgres);
				AnnotationConfigApplicationContext application = world
					.start(WorldApplication.of(new Accounts()).with(settings).lease(Duration.ofSeconds(1)));
				Load load = Load.ofAppends(world, 20, Duration.ofMillis(5))) {
			for (int outage = 0; outage < OUTAGES; outage++) {
				load.awaitApplied(5);
				postgres.kill();
				await().until(() -> World.status(application, Accounts.PROJECTOR)
					.state() == ProjectorState.WAITING_FOR_DATABASE);
				postgres.restart();
			}
			load.awaitApplied(5);
			load.stopAndAwaitAll();
			assertThat(World.status(application, Accounts.PROJECTOR).counts().deadLetters()).isZero();
			assertThat(world.count("select count(*) from eventing.projector_attempts")).isZero();
			long head = world.count("select max(global_position) from eventing.events");
			await().until(() -> world.checkpoint(Accounts.PROJECTOR) >= head);
		}
	}

}
