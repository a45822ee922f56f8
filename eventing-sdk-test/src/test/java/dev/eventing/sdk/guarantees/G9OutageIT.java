package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: while PostgreSQL or NATS is down the projector waits, says so, and resumes by
 * itself within seconds. What is deleted while both are up: {@link G9DeletedIT}.
 */
@Tag("crash")
class G9OutageIT {

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static NatsServer nats;

	private static PostgresServer postgres;

	@AutoClose
	private final World world = World.on(nats, postgres);

	@BeforeAll
	static void startServers() {
		nats = FIXTURE.opened(NatsServer.start());
		postgres = FIXTURE.opened(PostgresServer.start());
	}

	/**
	 * All lanes wait out an outage that is longer than a stall, and do not find out at
	 * once that it is over.
	 */
	@Test
	void isNotStalledOnceALongOutageIsOver() {
		Accounts slow = new Accounts((event) -> await().pollDelay(Duration.ofMillis(50)).until(() -> true));
		ProjectorSettings settings = ProjectorSettings.builder()
			.batchSize(5)
			.concurrency(6)
			.stalledAfter(Duration.ofSeconds(3))
			.build();
		List<String> seen = new CopyOnWriteArrayList<>();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(slow).with(settings))) {
			for (int account = 0; account < 200; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			await().until(() -> slow.calls.size() > 5);
			postgres.kill();
			await().pollDelay(Duration.ofSeconds(6)).until(() -> true);
			postgres.restart();
			await().pollInterval(Duration.ofMillis(10)).ignoreExceptions().until(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				if (status.state() == ProjectorState.STALLED) {
					seen.add(status.detail());
				}
				return status.counts().processed() == 200;
			});
		}
		assertThat(seen).isEmpty();
	}

	@Test
	void goesOnAfterTheNatsServerWasKilled() {
		try (AnnotationConfigApplicationContext application = start(); Load load = load()) {
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(5);
			nats.kill();
			try {
				outage.shows(ProjectorState.WAITING_FOR_NATS, nats.url());
			}
			finally {
				nats.restart();
			}
			outage.endsByItself("a killed NATS server");
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

	@Test
	void goesOnAfterTheNatsServerStoodStill() {
		try (AnnotationConfigApplicationContext application = start(); Load load = load()) {
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(5);
			nats.pause();
			try {
				outage.shows(ProjectorState.WAITING_FOR_NATS, "");
			}
			finally {
				nats.resume();
			}
			outage.endsByItself("a NATS server that stood still");
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

	@Test
	void goesOnWhenItsConnectionFellSilentForGood() {
		try (FaultProxy proxy = FaultProxy.to(nats.port());
				AnnotationConfigApplicationContext application = this.world
					.start(WorldApplication.of(new Accounts()).natsAt("nats://127.0.0.1:" + proxy.port()));
				Load load = load()) {
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(5);
			proxy.swallow();
			outage.shows(ProjectorState.WAITING_FOR_NATS, "");
			proxy.restore();
			outage.endsByItself("a connection that fell silent");
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

	@Test
	void goesOnAfterPostgresWasKilled() {
		try (AnnotationConfigApplicationContext application = start(); Load load = load()) {
			Outage outage = new Outage(this.world, application);
			load.awaitApplied(5);
			postgres.kill();
			try {
				outage.shows(ProjectorState.WAITING_FOR_DATABASE, "");
			}
			finally {
				postgres.restart();
			}
			outage.endsByItself("a killed PostgreSQL");
			load.stopAndAwaitAll();
			outage.leavesNoTrace();
		}
	}

	@Test
	void saysThatPostgresIsAwayWhileThereIsNothingToDo() {
		try (AnnotationConfigApplicationContext application = start()) {
			Outage outage = new Outage(this.world, application);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			postgres.kill();
			try {
				outage.shows(ProjectorState.WAITING_FOR_DATABASE, "");
			}
			finally {
				postgres.restart();
			}
			outage.endsByItself("a killed PostgreSQL that nobody needed");
			outage.leavesNoTrace();
		}
	}

	@Test
	void comesUpWhilePostgresIsAway() {
		postgres.stop();
		AnnotationConfigApplicationContext application;
		try {
			application = this.world.start(WorldApplication.of(new Accounts()).withoutDatabase());
			new Outage(this.world, application).shows(ProjectorState.WAITING_FOR_DATABASE, "");
		}
		finally {
			postgres.restart();
		}
		try (application) {
			Outage outage = new Outage(this.world, application);
			outage.endsByItself("a start without PostgreSQL");
			outage.leavesNoTrace();
		}
	}

	@Test
	void comesUpWhileNatsIsAway() {
		nats.kill();
		AnnotationConfigApplicationContext application;
		try {
			application = start();
			new Outage(this.world, application).shows(ProjectorState.WAITING_FOR_NATS, nats.url());
		}
		finally {
			nats.restart();
		}
		try (application) {
			Outage outage = new Outage(this.world, application);
			outage.endsByItself("a start without NATS");
			outage.leavesNoTrace();
		}
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(new Accounts()));
	}

	private Load load() {
		return Load.of(this.world, 10, Duration.ofMillis(20));
	}

}
