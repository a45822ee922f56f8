package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** G9: a connection that stands and takes nothing more counts as away. */
class FullConnectionIT {

	private static final int MORE_THAN_SOCKETS_HOLD = 100;

	/** Each waits a millisecond for room. */
	private static final int REFUSED_IN_A_ROW = 200;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer server = this.fixture.opened(NatsServer.start());

	private final NatsClient client = this.fixture.opened(new NatsClient(NatsOptions.of(this.server.url())
		.withCustomizer((options) -> options.maxMessagesInOutgoingQueue(1)
			.writeQueuePushTimeout(Duration.ofMillis(1))
			.pingInterval(Duration.ZERO))));

	@AfterEach
	void resume() {
		this.server.resume();
	}

	@Test
	void isAwayForAPullThatBegins() {
		DurableSpec spec = new DurableSpec(ProjectorId.of("test"), "S", "durable", Set.of("s.x"),
				Duration.ofSeconds(30), 1000, true);
		DurablePull pull = new DurablePull(this.client, spec, () -> true);
		fill();
		assertThatExceptionOfType(NatsUnavailableException.class).isThrownBy(() -> pull.next(1, Duration.ofSeconds(1)));
	}

	@Test
	void isAwayForADurableThatIsReconciled() {
		DurableSpec spec = new DurableSpec(ProjectorId.of("test"), "S", "durable", Set.of("s.x"),
				Duration.ofSeconds(30), 1000, true);
		Durables durables = new Durables(this.client);
		fill();
		assertThatExceptionOfType(NatsUnavailableException.class).isThrownBy(() -> durables.reconcile(spec, null))
			.withMessageContaining("'durable' of projector 'test' cannot be reconciled")
			.havingCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessageStartingWith("Output queue is");
	}

	@Test
	void isAwayForWhoeverBeginsToPublish() {
		RawEventPublisher publisher = new RawEventPublisher(this.client, new Streams(this.client, List.of()));
		fill();
		assertThatExceptionOfType(NatsUnavailableException.class)
			.isThrownBy(() -> publisher.publishAsync(new RawEvent("s.x", EventHeaders.of(Map.of()), new byte[0])));
	}

	/**
	 * Until the connection takes nothing for a while: the queue may also be full because
	 * the thread that writes has not run yet.
	 */
	private void fill() {
		this.client.requireConnected();
		this.server.pause();
		int sent = 0;
		int refused = 0;
		while (refused < REFUSED_IN_A_ROW) {
			try {
				this.client.connection().publish("nobody.listens", new byte[500_000]);
				sent++;
				refused = 0;
			}
			catch (IllegalStateException ex) {
				assertThat(ex).hasMessageStartingWith("Output queue is");
				refused++;
			}
			assertThat(sent).isLessThan(MORE_THAN_SOCKETS_HOLD);
		}
	}

}
