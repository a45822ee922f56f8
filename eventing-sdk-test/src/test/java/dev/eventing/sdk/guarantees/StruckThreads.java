package dev.eventing.sdk.guarantees;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.observability.EventingHealthIndicator;
import dev.eventing.sdk.observability.RelayHealthIndicator;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.worker.StallWatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.awaitility.Awaitility.await;

/** Threads of the SDK that a test strikes with what used to end them. */
abstract class StruckThreads {

	static final String RELAY_POSITIONS = "lock table eventing.relay_positions in exclusive mode";

	/**
	 * Another test may have left an application that runs, with threads of these names.
	 */
	private final Set<Thread> ofOtherTests = Thread.getAllStackTraces().keySet();

	@AutoClose
	final World world = World.create();

	final FaultyDataSource database = faulty();

	FaultyDataSource faulty() {
		return new FaultyDataSource(World.dataSource(this.world.jdbcUrl()));
	}

	@AfterEach
	void closeDatabase() {
		((HikariDataSource) this.database.getTargetDataSource()).close();
	}

	AnnotationConfigApplicationContext start(Object... handlers) {
		return this.world.start(application(handlers));
	}

	WorldApplication application(Object... handlers) {
		return WorldApplication.of(handlers).customize((context) -> FaultyDataSource.install(context, this.database));
	}

	static Health health(AnnotationConfigApplicationContext application) {
		return new EventingHealthIndicator(application.getBean(ProjectorRegistry.class),
				application.getBean(NatsClient.class), application.getBean(Pruner.class),
				application.getBean(StallWatch.class))
			.health();
	}

	static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	static Status relayHealth(AnnotationConfigApplicationContext application) {
		return new RelayHealthIndicator(application.getBean(Relays.class)).health().getStatus();
	}

	Thread thread(String name) {
		return threads(name).findFirst().orElseThrow();
	}

	/** Of all applications of this test, also of those that only publish. */
	Stream<Thread> threads(String name) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals(name) && !this.ofOtherTests.contains(thread));
	}

	static void awaitQuietly(CountDownLatch latch) {
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

	void awaitVersion(String account, long version) {
		await().until(() -> this.world.version(World.ACME, account) == version);
	}

}
