package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Random;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import dev.eventing.sdk.test.timing.TimedTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7: a publish that fails in the middle of a window lets no later event of its stream
 * pass. The stream holds every aggregate's events in version order.
 */
@Tag("crash")
class G7WindowIT {

	private static final int ACCOUNTS = 40;

	private static final int ROUNDS = 12;

	private final long seed = Long.getLong("window.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture.opened(NatsServer.start());

	private final FaultProxy proxy = this.fixture.opened(FaultProxy.to(this.nats.port()));

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.nats));

	@BeforeEach
	void showSeed() {
		System.out.println("window.seed=" + this.seed);
	}

	@Test
	void letsNoEventPassOneOfItsStreamThatTheServerRefuses() {
		this.world.limitMessages(4_000);
		for (int round = 0; round < 10; round++) {
			this.world.appendRound(ACCOUNTS);
			if (round == 5) {
				this.world.transaction()
					.executeWithoutResult((status) -> this.world.store()
						.append(World.ACME, "account-7", ExpectedVersion.any(),
								NewEvent.of(new G7RelayIT.Note("x".repeat(5_000)))));
			}
		}
		try (var relay = this.world.start(this.world.options())) {
			this.world.awaitDrained();
			assertThat(this.world.stored()).filteredOn((message) -> message.streamId().equals("account-7"))
				.extracting(Stored::version)
				.containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
			this.world.limitMessages(-1);
			relay.getBean(Relays.class).retry(RelayWorld.RELAY, World.ACME, "account-7");
			await()
				.untilAsserted(() -> assertThat(relay.getBean(Relays.class).refusals(RelayWorld.RELAY, 10)).isEmpty());
		}
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void letsNoEventPassWhenTheConnectionFails(Fault fault) {
		try (var relay = this.world.world()
			.start(RelayWorld.application(this.world.options()).natsAt("nats://127.0.0.1:" + this.proxy.port()))) {
			for (int round = 0; round < ROUNDS; round++) {
				for (int version = 0; version < 25; version++) {
					this.world.appendRound(ACCOUNTS);
					if (version == this.random.nextInt(25) || version == 20) {
						breakOff(fault);
					}
				}
			}
			this.proxy.restore();
			this.world.awaitDrained();
			await().until(() -> RelayWorld.status(relay).state() == RelayState.RUNNING);
			report(fault, relay);
		}
	}

	private void breakOff(Fault fault) {
		switch (fault) {
			case CUT -> this.proxy.cut();
			case FORGOTTEN -> this.proxy.forgetClients();
			case SWALLOWED -> this.proxy.swallow();
			default -> throw new IllegalStateException();
		}
		this.proxy.restore();
	}

	private void report(Fault fault, AnnotationConfigApplicationContext relay) {
		long twice = this.world.assertThatTheStreamHoldsEverythingInOrder();
		System.out.printf("%s: %d events, %d connections, %d in the stream twice, %s%n", fault,
				this.world.world().count("select count(*) from eventing.events"), this.proxy.connections(), twice,
				RelayWorld.status(relay).counts());
		// One that is swallowed is noticed only when pings stay unanswered.
		assertThat(this.proxy.connections()).isGreaterThan((fault == Fault.SWALLOWED) ? 1 : 5);
	}

	@TimedTest
	void saysThatItWaitsWhileNatsIsAwayAndGoesOnByItself() {
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(World.ACME, "account", 5);
			this.world.awaitDrained();
			this.nats.kill();
			this.world.append(World.ACME, "account", 5);
			await().until(() -> RelayWorld.status(relay).state() == RelayState.WAITING_FOR_NATS);
			this.nats.restart();
			Elapsed took = Stopwatch.time(this.world::awaitDrained);
			System.out.println("the relay goes on after NATS was away: " + took);
			took.assertWithin(Duration.ofSeconds(5));
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void startsBeforeNatsDoes() {
		this.nats.kill();
		this.world.append(World.ACME, "account", 5);
		try (var relay = this.world.start(this.world.options())) {
			await().until(() -> RelayWorld.status(relay).state() == RelayState.WAITING_FOR_NATS);
			this.nats.restart();
			this.world.awaitDrained();
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	enum Fault {

		CUT, FORGOTTEN, SWALLOWED

	}

}
