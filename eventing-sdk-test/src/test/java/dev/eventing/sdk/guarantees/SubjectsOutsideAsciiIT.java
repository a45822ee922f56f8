package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.relay.RelayOptions;
import io.nats.client.Options;
import io.nats.client.impl.SocketDataPort;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Subjects are UTF-8 on the wire, in filters and for a handler. Read otherwise, the
 * server would deliver an event to which no handler seems to listen, and it would be
 * settled without one.
 */
class SubjectsOutsideAsciiIT {

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@MethodSource("clients")
	void reachTheHandlersThatListenToThem(Consumer<Options.Builder> client) {
		Listening handlers = new Listening();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(handlers).nats((options) -> options.withCustomizer(client)))) {
			publish("er\u00f6ffnet", "umlaut");
			publish("\u6ce8\u6587", "order");
			publish("er\u00f6ffnet", "again");
			await()
				.untilAsserted(() -> assertThat(handlers.seen).containsExactlyInAnyOrder("umlaut", "order", "again"));
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** A rebuild reads the stream like a log, and not through the durable. */
	@Test
	void areThoseOfARelayAndOfARebuildToo() {
		RelayWorld relays = new RelayWorld(this.world);
		RelayOptions relay = relays.options().withSubjects(this.world.root() + ".{tenant}.er\u00f6ffnet");
		StreamRebuilds rebuilds = new StreamRebuilds(this.world);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(new Rebuilt())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(RelayOptions.class, () -> relay)))) {
			relays.append(World.ACME, "a", 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			this.world.jdbc().update("update account set total = -1");
			rebuilds.rebuild();
			rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			await()
				.untilAsserted(() -> assertThat(this.world.jdbc().queryForList("select total from account", Long.class))
					.containsExactly(6L));
			relays.append(World.ACME, "a", 1);
			await().until(() -> this.world.version(World.ACME, "a") == 4);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(application.isActive()).isTrue();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	static Stream<Named<Consumer<Options.Builder>>> clients() {
		return Stream.of(Named.of("as the SDK sets it up", (builder) -> {
		}), Named.of("that reads subjects as UTF-8", Options.Builder::supportUTF8Subjects),
				Named.of("with another data port", (builder) -> builder.dataPortType(SocketDataPort.class.getName())));
	}

	private void publish(String token, String account) {
		this.world.publisher()
			.publish(this.world.root() + ".{tenant}." + token,
					Event.builder(World.ACME, new Deposited(account, 1, 1)).streamId(account).build());
	}

	/** A projector whose read model can be filled again. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Rebuilt {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.er\u00f6ffnet")
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

	/** Each handler has its own projector. */
	static class Listening {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.er\u00f6ffnet", projectorName = Accounts.PROJECTOR)
		void onOpened(Deposited event) {
			this.seen.add(event.account());
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.\u6ce8\u6587", projectorName = "orders")
		void onOrdered(Deposited event) {
			this.seen.add(event.account());
		}

	}

}
