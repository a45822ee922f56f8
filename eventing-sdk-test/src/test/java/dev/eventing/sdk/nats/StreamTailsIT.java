package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.fixture.NatsUsers;
import dev.eventing.sdk.test.server.NatsServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StreamTailsIT {

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsClient client = this.fixture.nats();

	private RawEventPublisher publisher;

	private StreamTails tails;

	private String stream;

	@BeforeEach
	void createStream() {
		this.stream = "tail" + System.nanoTime();
		Streams streams = new Streams(this.client,
				List.of(new StreamSpec(this.stream, List.of(this.stream + ".>"), 1, Duration.ofMillis(100))));
		streams.declareAll();
		this.publisher = this.fixture.opened(new RawEventPublisher(this.client, streams));
		this.tails = new StreamTails(this.client);
	}

	@Test
	void readsFromOneSequenceToAnother() throws Exception {
		publish(10);
		this.client.management().deleteMessage(this.stream, 5);
		this.client.management().deleteMessage(this.stream, 7);
		assertThat(read(4, 7)).containsExactly(4L, 6L);
		assertThat(read(7, 7)).isEmpty();
		assertThat(read(8, 10)).containsExactly(8L, 9L, 10L);
		assertThat(read(11, 11)).isEmpty();
	}

	/**
	 * The consumer of the reader is on a server that has the first two messages when it
	 * delivers them, as a replica that lags.
	 */
	@Test
	void asksTheLeaderForWhatItsConsumerDoesNotHave() {
		publish(2);
		List<Long> read = new ArrayList<>();
		this.tails.read(this.stream, 1, 4, (message) -> {
			read.add(message.sequence());
			if (message.sequence() == 2) {
				publish(2);
			}
		});
		assertThat(read).containsExactly(1L, 2L, 3L, 4L);
	}

	@Test
	void quotesTheServerThatForbidsThePull() {
		NatsServer server = this.fixture
			.opened(NatsUsers.unnamed(NatsUsers.denied("$JS.API.CONSUMER.MSG.NEXT.>")).start());
		NatsClient denied = this.fixture.opened(new NatsClient(NatsOptions.of(server.url())));
		Streams streams = new Streams(denied,
				List.of(new StreamSpec(this.stream, List.of(this.stream + ".>"), 1, Duration.ofMillis(100))));
		streams.declareAll();
		try (RawEventPublisher publishing = new RawEventPublisher(denied, streams)) {
			publishing
				.publishAsync(new RawEvent(this.stream + ".x", EventHeaders.of(Map.of("A", List.of("b"))), new byte[1]))
				.join();
		}
		List<StreamTails.TailMessage> read = new ArrayList<>();
		assertThatExceptionOfType(NatsUnavailableException.class)
			.isThrownBy(() -> new StreamTails(denied).read(this.stream, 1, 1, read::add))
			.withMessageContaining("The end of stream '" + this.stream + "' cannot be read: JetStream does not answer.")
			.withMessageContaining("The server reported: ")
			.withMessageContaining("$JS.API.CONSUMER.MSG.NEXT." + this.stream);
		assertThat(read).isEmpty();
	}

	private List<Long> read(long from, long to) {
		List<Long> sequences = new ArrayList<>();
		this.tails.read(this.stream, from, to, (message) -> sequences.add(message.sequence()));
		return sequences;
	}

	private void publish(int messages) {
		for (int message = 0; message < messages; message++) {
			this.publisher
				.publishAsync(new RawEvent(this.stream + ".x", EventHeaders.of(Map.of("A", List.of("b"))), new byte[1]))
				.join();
		}
	}

}
