package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.RelayState;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One stream of JetStream, or one subject, takes no events; the others do. The relay's
 * window has 500 events.
 */
class G7ClosedPlacesIT {

	private static final TenantId GLOBEX = TenantId.of("globex");

	private static final int MANY = 800;

	/** As many as may wait for places. */
	private static final int MOST_ASIDE = 100_000;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	/** One of its users may not publish the events of one tenant. */
	private final NatsServer server = this.fixture
		.opened(NatsUsers.unnamed().and("application", NatsUsers.denied("*.globex.>")).start());

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.server));

	private final String other = this.world.world().stream() + "-globex";

	/** A batch with an event for the full stream goes event by event. */
	@ParameterizedTest
	@EnumSource
	void aFullStreamStopsOnlyWhatGoesThere(PublishMode mode) {
		splitStreams();
		try (var relay = start(this.world.options().with(mode))) {
			this.world.append(GLOBEX, "g", 3);
			await().until(() -> this.world.stored(this.other).size() == 1);
			appendMany(World.ACME, "a");
			awaitMany();
			this.world.append(GLOBEX, "g", 2);
			this.world.append(GLOBEX, "h", 1);
			awaitSetAside(relay, 2, "stream '" + this.other + "'", "maximum messages exceeded [10077]");
			assertThat(RelayWorld.status(relay).counts().refused()).isZero();
			change(this.other, (stream) -> stream.maxMessages(-1));
			awaitNothingAside(relay);
			this.world.append(GLOBEX, "g", 1);
			this.world.awaitDrained();
		}
		assertThatAllIsThere();
	}

	@Test
	void aFullStreamWhoseEventsFillTheWindowStopsOnlyWhatGoesThere() {
		splitStreams();
		appendMany(GLOBEX, "g");
		appendMany(World.ACME, "a");
		try (var relay = start()) {
			awaitMany();
			awaitSetAside(relay, MANY - 1, "stream '" + this.other + "'", "maximum messages exceeded [10077]");
			change(this.other, (stream) -> stream.maxMessages(-1));
			awaitNothingAside(relay);
		}
		assertThatAllIsThere();
	}

	@Test
	void aSubjectThatTheServerDeniesStopsOnlyItsEvents() {
		String denied = NatsUsers.url(this.server, "application");
		try (var relay = this.world.world().start(RelayWorld.application(this.world.options()).natsAt(denied))) {
			this.world.append(GLOBEX, "g", 3);
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.WAITING_FOR_NATS);
				assertThat(RelayWorld.status(relay).detail()).contains(violation()).doesNotContain("within 5 s");
			});
			appendMany(World.ACME, "a");
			awaitMany();
			awaitSetAside(relay, 1, "subject '" + this.world.world().root() + ".globex.deposited'", violation());
		}
		try (var relay = this.world.start(this.world.options())) {
			this.world.append(GLOBEX, "g", 3);
			awaitNothingAside(relay);
			this.world.awaitDrained();
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void aSealedStreamStopsOnlyWhatGoesThereUntilAnotherCarriesItsSubjects() {
		splitStreams();
		change(this.other, StreamConfiguration.Builder::seal);
		try (var relay = start()) {
			this.world.append(GLOBEX, "g", 3);
			appendMany(World.ACME, "a");
			awaitMany();
			awaitSetAside(relay, 1, "stream '" + this.other + "'", "invalid operation on sealed stream [10109]");
			this.world.jetStream((management) -> management.deleteStream(this.other));
			change(this.world.world().stream(), (stream) -> stream.subjects(this.world.world().root() + ".>"));
			awaitNothingAside(relay);
		}
		this.world.assertThatTheStreamHoldsEverythingInOrder();
	}

	@Test
	void takesNoMoreEventsWhileTheMostWaitAside() {
		splitStreams();
		try (var relay = start()) {
			this.world.append(GLOBEX, "g", 3);
			await().until(() -> this.world.stored(this.other).size() == 1);
			appendMany(World.ACME, "a");
			awaitMany();
			awaitSetAside(relay, 1, "stream '" + this.other + "'", "maximum messages exceeded [10077]");
			holdMany();
			this.world.append(World.ACME, "b", 1);
			await().untilAsserted(() -> {
				assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.WAITING_FOR_NATS);
				assertThat(RelayWorld.status(relay).detail()).contains("No more events are taken from the event store",
						"stream '" + this.other + "'");
			});
			this.world.append(World.ACME, "c", 1);
			Steady.holds(Duration.ofMillis(500),
					() -> this.world.stored().stream().noneMatch((event) -> event.streamId().equals("c")));
			this.world.world().jdbc().update("delete from eventing.relay_refusals where reason = 'a test'");
			await().until(() -> this.world.stored().size() == MANY + 2);
		}
	}

	/**
	 * Behind the event that waits. Nothing of them is in the event store, so each try of
	 * that event removes some.
	 */
	private void holdMany() {
		this.world.world().jdbc().update("""
				insert into eventing.relay_refusals
				       (relay_name, global_position, tenant_id, stream_id, event_id, status, reason)
				select ?, 1000000 + n, 'globex', 'g', gen_random_uuid(), 'HELD', 'a test'
				  from generate_series(1, ?) n""", RelayWorld.RELAY, MOST_ASIDE + 10_000);
	}

	/** One stream for each tenant; that of globex has room for one event. */
	private void splitStreams() {
		change(this.world.world().stream(), (stream) -> stream.subjects(this.world.world().root() + ".acme.>"));
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(this.other)
			.subjects(this.world.world().root() + ".globex.>")
			.discardPolicy(DiscardPolicy.New)
			.maxMessages(1)
			.build()));
	}

	private void change(String stream, UnaryOperator<StreamConfiguration.Builder> changes) {
		this.world.jetStream((management) -> management.updateStream(
				changes.apply(StreamConfiguration.builder(management.getStreamInfo(stream).getConfiguration()))
					.build()));
	}

	private AnnotationConfigApplicationContext start() {
		return start(this.world.options());
	}

	private AnnotationConfigApplicationContext start(RelayOptions options) {
		return this.world.world().start(RelayWorld.application(options).withoutStreams());
	}

	private String violation() {
		return "Permissions Violation for Publish to \"" + this.world.world().root() + ".globex.deposited\"";
	}

	/** Each in a stream of its own. */
	private void appendMany(TenantId tenant, String account) {
		this.world.transaction().executeWithoutResult((status) -> {
			for (int i = 0; i < MANY; i++) {
				this.world.append(tenant, account + i, 1);
			}
		});
	}

	private void awaitMany() {
		await().until(() -> this.world
			.jetStream((management) -> management.getStreamInfo(this.world.world().stream()).getStreamState())
			.getMsgCount() == MANY);
	}

	private void awaitSetAside(AnnotationConfigApplicationContext relay, int streams, String place, String words) {
		await().untilAsserted(() -> {
			assertThat(RelayWorld.status(relay).stoppedStreams()).isEqualTo(streams);
			assertThat(RelayWorld.status(relay).state()).isEqualTo(RelayState.RUNNING);
			assertThat(RelayWorld.status(relay).detail()).contains(place, words, streams + " streams wait");
		});
	}

	private void awaitNothingAside(AnnotationConfigApplicationContext relay) {
		await().untilAsserted(() -> {
			assertThat(RelayWorld.status(relay).stoppedStreams()).isZero();
			assertThat(this.world.world().count("select count(*) from eventing.relay_refusals")).isZero();
			assertThat(RelayWorld.status(relay).detail()).isEmpty();
		});
	}

	private void assertThatAllIsThere() {
		this.world.assertThatStreamsHoldEverythingInOrder(List.of(this.world.world().stream(), this.other));
	}

}
