package dev.eventing.sdk.guarantees;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.awaitility.Awaitility.await;

/** G4: being hit by a database outage is no attempt, however long it lasts. */
class G4DatabaseOutageIT {

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static PostgresServer postgres;

	@AutoClose
	private final World world = World.on(TestServers.nats(), postgres);

	@BeforeAll
	static void startServer() {
		postgres = FIXTURE.opened(PostgresServer.start());
	}

	@ParameterizedTest
	@CsvSource({ "1, false", "3, false", "1, true" })
	void countsNoAttemptWhileTheDatabaseIsAway(int maxDeliver, boolean throughJpa) {
		ProjectorSettings fewAttempts = ProjectorSettings.builder()
			.maxDeliver(maxDeliver)
			.batchSize(1)
			.concurrency(2)
			.retryDelay(Duration.ofMillis(10))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(10))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(fewAttempts).customize((context) -> {
				if (throughJpa) {
					JpaProjectorIT.throughJpa(context);
				}
			})); Load load = Load.of(this.world, 10, Duration.ofMillis(20))) {
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(3);
			postgres.stop();
			long rounds = load.rounds();
			try {
				outage.shows(ProjectorState.WAITING_FOR_DATABASE, "");
				await().until(() -> load.rounds() > rounds + 10);
			}
			finally {
				postgres.restart();
			}
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

	/** An outage that outlasts all patience may end at any moment of a look at it. */
	@Test
	@Tag("crash")
	void countsNoAttemptWhenTheDatabaseReturnsAfterALongTime() {
		ProjectorSettings oneAttempt = ProjectorSettings.builder().maxDeliver(1).batchSize(1).concurrency(6).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(oneAttempt));
				Load load = Load.of(this.world, 30, Duration.ofMillis(20))) {
			application.getBean(HikariDataSource.class).setConnectionTimeout(500);
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(3);
			postgres.stop();
			try {
				outage.shows(ProjectorState.WAITING_FOR_DATABASE, "");
				Steady.holds(Duration.ofSeconds(10), () -> World.status(application, Accounts.PROJECTOR)
					.state() == ProjectorState.WAITING_FOR_DATABASE);
			}
			finally {
				postgres.restart();
			}
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

}
