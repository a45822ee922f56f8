package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: however often the relay and NATS are killed while events are appended, the stream
 * holds every event in order, and the effects of a projector are exact.
 */
@Tag("crash")
class G7KilledRelayIT {

	private static final int ACCOUNTS = 200;

	private static final int EVENTS = Integer.getInteger("eventing.test.relayed-events", 20_000);

	/** Milliseconds between two appends, so that they last as long as the kills. */
	private static final long REST = 20;

	private static final int KILLS = 20;

	private static final int KILLS_OF_NATS = 3;

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final CountDownLatch never = new CountDownLatch(1);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture.opened(NatsServer.start());

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.nats));

	private RelayProcess relay;

	@AfterEach
	void stop() {
		this.relay.close();
	}

	@Test
	void publishesEveryEventHoweverOftenItIsKilled() throws InterruptedException {
		System.out.println("crash.seed=" + this.seed);
		Thread appending = new Thread(this::appendAll, "appending");
		this.relay = RelayProcess.start(this.world);
		try (var accounts = this.world.world().start(WorldApplication.of(new Accounts()))) {
			appending.start();
			for (int kill = 1; kill <= KILLS; kill++) {
				killAfterSomeProgress(kill);
				if (kill % (KILLS / KILLS_OF_NATS) == 0) {
					this.nats.kill();
					this.nats.restart();
				}
			}
			appending.join();
			this.world.awaitDrained();
			long twice = this.world.assertThatTheStreamHoldsEverythingInOrder();
			System.out.printf("%d events, %d kills of the relay, %d of NATS: %d events in the stream twice%n", EVENTS,
					KILLS, KILLS_OF_NATS, twice);
			assertThatTheEffectsAreExact();
			assertThat(accounts.isRunning()).isTrue();
		}
	}

	private void appendAll() {
		Random account = new Random(this.seed);
		for (int appended = 0; appended < EVENTS; appended += 10) {
			this.world.append(World.ACME, "account-" + account.nextInt(ACCOUNTS), 10);
			rest();
		}
	}

	private void rest() {
		try {
			assertThat(this.never.await(REST, TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void killAfterSomeProgress(int kill) {
		long goal = (long) EVENTS * kill / (KILLS + 2);
		long more = this.random.nextInt(EVENTS / (KILLS + 2));
		await().atMost(Patience.PROCESS)
			.pollInterval(Duration.ofMillis(10))
			.ignoreExceptions()
			.until(() -> position() >= Math.min(goal + more, EVENTS - 1000));
		this.relay.close();
		this.relay = RelayProcess.start(this.world);
	}

	private long position() {
		return this.world.world().count("select coalesce(max(position), 0) from eventing.relay_positions");
	}

	private void assertThatTheEffectsAreExact() {
		await().atMost(Patience.PROCESS)
			.untilAsserted(() -> assertThat(this.world.world().count("select coalesce(sum(version), 0) from account"))
				.isEqualTo(EVENTS));
		assertThat(this.world.world().count("select count(*) from violations")).isZero();
		assertThat(this.world.world().count("""
				select count(*) from account a join eventing.streams s on s.stream_id = a.account
				 where s.version <> a.version or a.total <> a.version * (a.version + 1) / 2""")).isZero();
	}

}
