package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.deadletter.ForwarderState;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.nats.StreamNotTakingException;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** The account has no storage left until there is room. Nothing is refused for that. */
class G7FullAccountIT {

	private static final String FULL = "resource limits exceeded for account [10002]";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(NatsServer.start(NatsServerBinary.find(), """
			no_auth_user: app
			accounts: { APP: { jetstream: { max_file: 40KB, max_mem: 40KB },
			                   users: [ { user: app, password: app } ] } }"""));

	private final RelayWorld events = this.fixture.opened(RelayWorld.on(this.server));

	private final World world = this.events.world();

	@Test
	void aRelayGoesOnByItselfOnceThereIsRoom() {
		try (var relay = this.events.start(this.events.options())) {
			for (int event = 0; event < 200; event++) {
				this.events.append(World.ACME, "account-" + event % 40, 1);
			}
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.WAITING_FOR_NATS);
				assertThat(RelayWorld.status(relay).detail()).contains(FULL);
			});
			assertThat(this.events.stored()).hasSizeLessThan(200);
			while (RelayWorld.status(relay).position() < 200) {
				await().until(() -> RelayWorld.status(relay).state() == RelayState.WAITING_FOR_NATS
						|| RelayWorld.status(relay).position() == 200);
				this.world.jetStream((management) -> management.purgeStream(this.world.stream()));
			}
			assertThat(RelayWorld.status(relay).counts().published()).isEqualTo(200);
			assertThat(RelayWorld.status(relay).counts().refused()).isZero();
			assertThat(this.world.count("select count(*) from eventing.relay_refusals")).isZero();
		}
	}

	@Test
	void aPublisherGetsAnErrorThatMayPass() {
		assertThatExceptionOfType(StreamNotTakingException.class).isThrownBy(() -> {
			for (int version = 1; version <= 1000; version++) {
				this.world.publish(World.ACME, "account", version, version);
			}
		}).withMessageContaining(FULL);
	}

	@Test
	void deadLettersAreForwardedOnceThereIsRoom() {
		this.world.deadLetterStream().create();
		fillMemory();
		try (Wire wire = new Wire(this.world.natsUrl());
				AnnotationConfigApplicationContext application = this.world
					.start(WorldApplication.of(new Accounts()))) {
			wire.publish(this.world.root() + ".acme.deposited", Map.of(), "unreadable");
			await().until(() -> Stream.of(application.getBean(DeadLetterForwarder.class), this.world.forwarder())
				.map(DeadLetterForwarder::status)
				.anyMatch((status) -> status.state() == ForwarderState.WAITING_FOR_NATS
						&& status.detail().contains(FULL)));
			assertThat(application.getBean(DeadLetterForwarder.class).status().refused()).isZero();
			this.world.jetStream((management) -> management.purgeStream("filler"));
			await().until(() -> this.world.deadLetterStream().messages() == 1);
			await().until(() -> this.world
				.count("select count(*) from eventing.dead_letters where forwarded_at is not null") == 1);
		}
	}

	/** Uses up the memory of the account, where letters are. */
	private void fillMemory() {
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name("filler")
			.subjects("filler")
			.storageType(StorageType.Memory)
			.build()));
		for (int size = 8192; size >= 1; size /= 2) {
			publishWhileThereIsRoom(new byte[size]);
		}
	}

	private void publishWhileThereIsRoom(byte[] body) {
		assertThatExceptionOfType(JetStreamApiException.class).isThrownBy(() -> {
			try (Connection connection = Nats.connect(this.world.natsUrl())) {
				for (int message = 0; message < 100; message++) {
					connection.jetStream().publish("filler", body);
				}
			}
		}).withMessageContaining(FULL);
	}

}
