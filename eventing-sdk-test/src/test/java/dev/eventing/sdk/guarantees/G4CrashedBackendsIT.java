package dev.eventing.sdk.guarantees;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.fixture.Backends;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G4: a session of another application crashes, so PostgreSQL ends all sessions. That is
 * an outage, although the server does not start again.
 */
class G4CrashedBackendsIT {

	/**
	 * More than the repeats that an event has while the database is well, and less than
	 * those of an outage while the database answers.
	 */
	private static final int CRASHES = 8;

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static PostgresServer postgres;

	@AutoClose
	private final World world = World.on(TestServers.nats(), postgres);

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeAll
	static void startServer() {
		postgres = FIXTURE.opened(PostgresServer.start());
	}

	@Test
	void costNoAttemptOfAnEventThatRunsMeanwhile() {
		await().until(() -> this.world.count("""
				select count(*) where clock_timestamp() - pg_postmaster_start_time() > interval '7 s'""") == 1);
		ProjectorSettings oneAttempt = ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new DuringCrashes()).with(oneAttempt))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().ignoreExceptions()
				.until(() -> this.world.version(World.ACME, "bad") == 1
						|| !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
		assertThat(this.runs).hasValue(CRASHES + 1);
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** In each of its first runs another session crashes. */
	private final class DuringCrashes extends Accounts {

		@Override
		public void on(Deposited event, UUID eventId, String tenantId) {
			if (G4CrashedBackendsIT.this.runs.incrementAndGet() <= CRASHES) {
				Backends.crashOne(postgres.dataSource(G4CrashedBackendsIT.this.world.jdbcUrl()));
				this.jdbc.execute("select pg_sleep(30)");
			}
			super.on(event, eventId, tenantId);
		}

	}

}
