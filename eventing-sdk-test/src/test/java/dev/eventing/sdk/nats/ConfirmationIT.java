package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Answers of the server to publishes. */
class ConfirmationIT {

	/**
	 * What nats-server 2.10.27 answers for a stream with three replicas when the message
	 * id was seen and the message was not stored, for as long as its duplicate window.
	 */
	private static final String UNSTORED = "{\"stream\":\"S\", \"seq\":0,\"duplicate\": true}";

	private static final String STORED = "{\"stream\":\"S\", \"seq\":7}";

	private final String root = "c" + System.nanoTime();

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsClient client = this.fixture.nats();

	private final Streams streams = new Streams(this.client, List.of());

	private final Queue<String> answers = new ConcurrentLinkedQueue<>();

	/** Otherwise each confirmation costs a tree of JSON. */
	@Test
	void theServersFormIsReadWithoutTheClient() throws Exception {
		this.client.requireConnected();
		new Streams(this.client,
				List.of(new StreamSpec(this.root, List.of(this.root + ".>"), 1, Duration.ofSeconds(5))))
			.declareAll();
		Headers headers = new Headers();
		headers.add("Nats-Msg-Id", "one");
		for (boolean again : new boolean[] { false, true }) {
			Message answer = this.client.connection().request(this.root + ".x", headers, new byte[0]).get();
			assertThat(Confirmation.read(answer.getData())).as(new String(answer.getData(), StandardCharsets.UTF_8))
				.isEqualTo(new Published(this.root, 1, again));
		}
	}

	@Test
	void aDuplicateOfWhatIsNotStoredIsNoConfirmation() {
		answer(UNSTORED);
		try (RawEventPublisher publisher = new RawEventPublisher(this.client, this.streams)) {
			assertThat(publisher.publishAsync(new RawEvent(this.root + ".x", EventHeaders.of(Map.of()), new byte[0])))
				.failsWithin(Patience.LONG)
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(NatsUnavailableException.class)
				.havingCause()
				.withMessageContaining("an earlier publish that is not stored yet");
		}
	}

	@Test
	void aPublishIsTriedAgainUntilItIsStored() {
		answer(UNSTORED, UNSTORED, STORED);
		assertThat(publisher().publish(this.root + ".{tenant}", event())).isEqualTo(new Published("S", 7, false));
	}

	@Test
	void aPublishThatIsNotStoredFails() {
		answer(UNSTORED);
		assertThatExceptionOfType(NatsUnavailableException.class)
			.isThrownBy(() -> publisher().publish(this.root + ".{tenant}", event()));
		assertThat(publisher().publishAsync(this.root + ".{tenant}", event())).failsWithin(Patience.LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(NatsUnavailableException.class);
	}

	/** In the place of a stream; the last answer is given for ever. */
	private void answer(String... all) {
		this.answers.addAll(List.of(all));
		this.client.requireConnected();
		Dispatcher dispatcher = this.client.connection().createDispatcher((message) -> {
			String next = (this.answers.size() > 1) ? this.answers.poll() : this.answers.peek();
			this.client.connection()
				.publish(message.getReplyTo(), String.valueOf(next).getBytes(StandardCharsets.UTF_8));
		});
		dispatcher.subscribe(this.root + ".>");
	}

	private EventPublisher publisher() {
		return new EventPublisher(this.client, this.streams, new EventWriter(EventJson.mapper()));
	}

	private static Event<Placed> event() {
		return Event.builder(TenantId.of("acme"), new Placed("x")).build();
	}

	record Placed(String order) {
	}

}
