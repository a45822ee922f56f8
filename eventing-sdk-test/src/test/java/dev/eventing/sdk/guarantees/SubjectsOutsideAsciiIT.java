package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorState;
import io.nats.client.Options;
import io.nats.client.impl.SocketDataPort;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

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
