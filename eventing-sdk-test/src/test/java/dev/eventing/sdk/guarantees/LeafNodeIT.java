package dev.eventing.sdk.guarantees;

import java.nio.file.Path;
import java.util.List;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.relay.RelayStatus;
import dev.eventing.sdk.relay.Relays;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** An application at a leaf node whose streams are at the hub. */
class LeafNodeIT {

	private static final int EVENTS = 25;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private LeafNode servers;

	private RelayWorld atTheHub;

	private World world;

	@BeforeEach
	void start(@TempDir Path directory) {
		this.servers = this.fixture.opened(new LeafNode(directory));
		this.atTheHub = this.fixture.opened(RelayWorld.on(this.servers.hub()));
		this.world = this.atTheHub.world();
	}

	@ParameterizedTest
	@ValueSource(strings = { "$JS.hub.API", "domain" })
	void aProjectorReadsTheStreamOfTheHub(String setting) {
		WorldApplication application = atTheLeaf(WorldApplication.of(new Accounts()))
			.nats((options) -> setting.equals("domain") ? options.withJetStreamDomain(LeafNode.HUB)
					: options.withJetStreamPrefix(setting));
		try (AnnotationConfigApplicationContext leaf = this.world.start(application)) {
			for (long version = 1; version <= EVENTS; version++) {
				Published published = leaf.getBean(EventPublisher.class)
					.publish(this.world.subject(), this.world.deposit(World.ACME, "a", version));
				assertThat(published.sequence()).isEqualTo(version);
			}
			awaitApplied(EVENTS);
			await().until(() -> this.servers.unsettled(this.world.stream(), Accounts.PROJECTOR + "-consumer") == 0);
		}
		this.world.publish(World.ACME, "a", EVENTS + 1, EVENTS + 1);
		try (AnnotationConfigApplicationContext again = this.world.start(application)) {
			awaitApplied(EVENTS + 1);
			assertThat(World.status(again, Accounts.PROJECTOR).counts().processed()).isEqualTo(1);
		}
		assertThat(this.servers.messages(LeafNode.HUB, this.world.stream())).isEqualTo(EVENTS + 1);
		assertThat(this.servers.streams(LeafNode.LEAF)).isEmpty();
	}

	@Test
	void aRelayPublishesEachEventOnceToTheHub() {
		for (int start = 1; start <= 2; start++) {
			this.atTheHub.append(World.ACME, this.world.storedStream("a"), EVENTS);
			int events = start * EVENTS;
			try (AnnotationConfigApplicationContext leaf = this.world.start(relay())) {
				await().until(() -> relay(leaf).position() == events);
			}
			assertThat(this.servers.messages(LeafNode.HUB, this.world.stream())).isEqualTo(events);
		}
		assertThat(this.servers.streams(LeafNode.LEAF)).isEmpty();
	}

	@Test
	void declaresNoStreamBesideThatOfTheHub() {
		WorldApplication application = atTheLeaf(WorldApplication.of());
		try (AnnotationConfigApplicationContext leaf = this.world.start(application)) {
			assertThatExceptionOfType(JetStreamConfigurationException.class)
				.isThrownBy(() -> leaf.getBean(EventPublisher.class)
					.publish(this.world.subject(), this.world.deposit(World.ACME, "a", 1)))
				.withMessageContaining("'" + this.world.stream() + "' of another domain")
				.withMessageContaining("eventing.nats.jetstream-domain");
		}
		assertThatException().isThrownBy(() -> this.world.start(atTheLeaf(WorldApplication.of(new Accounts()))).close())
			.havingRootCause()
			.withMessageContaining("of another domain");
		assertThat(this.servers.streams(LeafNode.LEAF)).isEmpty();
		assertThat(this.servers.messages(LeafNode.HUB, this.world.stream())).isZero();
	}

	@Test
	void addsNoSubjectsToAStreamThatOneOfTheHubCarries() {
		this.servers.addStream(LeafNode.LEAF, this.world.stream(), "elsewhere.>");
		try (AnnotationConfigApplicationContext leaf = this.world.start(atTheLeaf(WorldApplication.of()))) {
			assertThatExceptionOfType(JetStreamConfigurationException.class)
				.isThrownBy(() -> leaf.getBean(EventPublisher.class)
					.publish(this.world.subject(), this.world.deposit(World.ACME, "a", 1)))
				.withMessageContaining("of another domain");
		}
		assertThat(this.servers.messages(LeafNode.LEAF, this.world.stream())).isZero();
	}

	/**
	 * The leaf node would settle at the hub what the hub's own application has not
	 * applied.
	 */
	@Test
	void refusesADurableOfWhichTheHubHasANamesake() {
		this.servers.addStream(LeafNode.LEAF, this.world.stream(), this.world.root() + ".>");
		String durable = Accounts.PROJECTOR + "-consumer";
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
				ConsumerConfiguration.builder().durable(durable).ackPolicy(AckPolicy.Explicit).build()));
		assertThatException().isThrownBy(() -> this.world.start(atTheLeaf(WorldApplication.of(new Accounts()))).close())
			.havingRootCause()
			.withMessageStartingWith("Durable '" + durable + "'")
			.withMessageContaining("exists in another JetStream domain too");
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), durable));
		try (AnnotationConfigApplicationContext leaf = this.world
			.start(atTheLeaf(WorldApplication.of(new Accounts())))) {
			assertThat(leaf.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, EVENTS);
			awaitApplied(EVENTS);
		}
	}

	@Test
	void aStreamOfTheLeafNodeConfirmsNothingForTheHub() {
		this.servers.addStream(LeafNode.LEAF, "local", this.world.root() + ".>");
		try (AnnotationConfigApplicationContext leaf = this.world.start(relay())) {
			this.atTheHub.append(World.ACME, this.world.storedStream("a"), EVENTS);
			await().until(() -> relay(leaf).position() == EVENTS);
			EventPublisher publisher = leaf.getBean(EventPublisher.class);
			assertThat(publisher.publish(this.world.subject(), this.world.deposit(World.ACME, "b", 1)).stream())
				.isEqualTo(this.world.stream());
			assertThat(publisher.publishAsync(this.world.subject(), this.world.deposit(World.ACME, "b", 2))
				.join()
				.stream()).isEqualTo(this.world.stream());
			this.servers.hub().kill();
			this.atTheHub.append(World.ACME, this.world.storedStream("a"), EVENTS);
			await().until(() -> this.servers.messages(LeafNode.LEAF, "local") > EVENTS + 2
					|| relay(leaf).state() == RelayState.WAITING_FOR_NATS);
			assertThatExceptionOfType(NatsUnavailableException.class)
				.isThrownBy(() -> publisher.publish(this.world.subject(), this.world.deposit(World.ACME, "b", 3)));
			assertThat(relay(leaf).position()).isEqualTo(EVENTS);
			this.servers.hub().restart();
			await().until(() -> relay(leaf).position() == 2 * EVENTS);
		}
		assertThat(this.servers.messages(LeafNode.HUB, this.world.stream())).isGreaterThanOrEqualTo(2L * EVENTS + 2);
	}

	@Test
	void anEventThatTheHubRefusesIsNotConfirmedByTheLeafNode() {
		this.servers.addStream(LeafNode.LEAF, "local", this.world.root() + ".>");
		this.world.jetStream((management) -> management
			.updateStream(StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration())
				.maximumMessageSize(10)
				.build()));
		try (AnnotationConfigApplicationContext leaf = this.world.start(relay())) {
			this.atTheHub.append(World.ACME, this.world.storedStream("a"), 1);
			await().untilAsserted(() -> assertThat(relay(leaf).stoppedStreams()).isEqualTo(1));
		}
	}

	private WorldApplication relay() {
		return atTheLeaf(RelayWorld.application(this.atTheHub.options()))
			.nats((options) -> options.withJetStreamDomain(LeafNode.HUB));
	}

	private WorldApplication atTheLeaf(WorldApplication application) {
		return application.natsAt(this.servers.leaf().url());
	}

	private void awaitApplied(long version) {
		await().untilAsserted(() -> assertThat(
				this.world.jdbc().queryForList("select version from account where account = 'a'", Long.class))
			.isEqualTo(List.of(version)));
		assertThat(this.world.jdbc().queryForObject("select count(*) from violations", Long.class)).isZero();
	}

	private static RelayStatus relay(AnnotationConfigApplicationContext application) {
		return application.getBean(Relays.class).status().get(0);
	}

}
