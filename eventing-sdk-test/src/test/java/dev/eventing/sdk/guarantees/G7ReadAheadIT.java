package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.PostgresServer;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: what a relay has only read ahead counts for nothing, and it never holds more of
 * large events than it may.
 */
class G7ReadAheadIT {

	private static final int LARGE = 500_000;

	@Test
	void publishesWhatItHadReadAndNotPublishedWhenItWasStopped() {
		try (RelayWorld world = RelayWorld.create()) {
			try (var relay = world.start(world.options())) {
				world.append(World.ACME, "account", 3);
				world.awaitDrained();
				relay.getBean(Relays.class).pause(RelayWorld.RELAY);
				await().until(() -> RelayWorld.status(relay).state() == RelayState.PAUSED);
				world.append(World.ACME, "account", 50); // is read ahead
				Steady.holds(Duration.ofMillis(500), () -> RelayWorld.status(relay).position() == 3);
			}
			assertThat(world.world().count("select position from eventing.relay_positions")).isEqualTo(3);
			try (var relay = world.start(world.options())) {
				world.awaitDrained();
				assertThat(RelayWorld.status(relay).counts().published()).isEqualTo(50);
			}
			assertThat(world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
		}
	}

	@Test
	void goesOnByItselfWhenTheDatabaseWasAwayInTheMiddleOfABacklog() {
		try (PostgresServer postgres = PostgresServer.start();
				RelayWorld world = RelayWorld.on(TestServers.nats(), postgres)) {
			for (int account = 0; account < 100; account++) {
				world.append(World.ACME, "account-" + account, 300);
			}
			try (var relay = world.start(world.options())) {
				await().until(() -> RelayWorld.status(relay).position() > 1_000);
				postgres.kill();
				await().until(() -> RelayWorld.status(relay).state() == RelayState.WAITING_FOR_DATABASE);
				postgres.restart();
				world.awaitDrained();
				await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			}
			world.assertThatTheStreamHoldsEverythingInOrder();
		}
	}

	@Test
	void holdsNoMoreOfLargeEventsThanItMay() {
		try (RelayWorld world = RelayWorld.create()) {
			for (int i = 0; i < 30; i++) {
				int account = i;
				world.transaction()
					.executeWithoutResult((status) -> world.store()
						.append(World.ACME, "account-" + account, ExpectedVersion.any(),
								NewEvent.of(new G7RelayIT.Note("x".repeat(LARGE)))));
			}
			// No stream takes them, so that they stay in the window.
			String subject = "not-" + world.world().root() + ".{type}";
			RelayOptions options = world.options().withSubjects(subject).withWindowBytes(4 * LARGE);
			try (var relay = world.start(options)) {
				await().until(() -> RelayWorld.status(relay).window() == 4);
				Steady.holds(Duration.ofMillis(500), () -> RelayWorld.status(relay).window() == 4);
				world.jetStream((management) -> management.updateStream(
						StreamConfiguration.builder(management.getStreamInfo(world.world().stream()).getConfiguration())
							.addSubjects("not-" + world.world().root() + ".>")
							.build()));
				world.awaitDrained();
				await().until(() -> RelayWorld.status(relay).window() == 0);
			}
			assertThat(world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
		}
	}

}
