package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.sdk.event.EventJson;
import io.nats.client.Connection;
import io.nats.client.IterableConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import tools.jackson.databind.ObjectReader;

/** The stream relays publish to: made again for each round, and read afterwards. */
final class RelayStream {

	static final String NAME = "relayed";

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final long LOOK_NANOS = 2_000_000;

	private static final int ID_LENGTH = 36;

	private static final int NOT_FOUND = 404;

	private static final ObjectReader PAYLOADS = EventJson.mapper().readerFor(AccountChanged.class);

	private final Connection connection;

	RelayStream(Connection connection) {
		this.connection = connection;
	}

	/** Makes it empty. */
	void create() throws Exception {
		JetStreamManagement management = this.connection.jetStreamManagement();
		try {
			management.deleteStream(NAME);
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() != NOT_FOUND) {
				throw ex;
			}
		}
		management.addStream(StreamConfiguration.builder().name(NAME).subjects(OutboxEvent.SUBJECT).build());
	}

	/** Waits until it has the given number of messages. */
	void await(int events) throws Exception {
		JetStreamManagement management = this.connection.jetStreamManagement();
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		long found = management.getStreamInfo(NAME).getStreamState().getMsgCount();
		while (found < events) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(
						"The stream has " + found + " of " + events + " events. Consider a look at the log.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
			found = management.getStreamInfo(NAME).getStreamState().getMsgCount();
		}
	}

	/**
	 * When the server stored each event, by its clock, in microseconds since 1970.
	 * @throws WrongResultException if the stream does not have all, each once, and each
	 * account's in order
	 */
	Map<UUID, Long> read(String contender, int events) throws Exception {
		// a separate one: a consumer that has only stopped would miss its heartbeats
		Connection reader = Nats.connect(this.connection.getConnectedUrl());
		try {
			return read(contender, events, reader);
		}
		finally {
			reader.close();
		}
	}

	private static Map<UUID, Long> read(String contender, int events, Connection reader) throws Exception {
		Map<UUID, Long> stored = new HashMap<>();
		Map<String, Long> changes = new HashMap<>();
		IterableConsumer messages = reader.getStreamContext(NAME)
			.createOrderedConsumer(new OrderedConsumerConfiguration())
			.iterate();
		while (stored.size() < events) {
			Message message = messages.nextMessage(PATIENCE);
			String id = message.getHeaders().getFirst("Nats-Msg-Id");
			AccountChanged change = PAYLOADS.readValue(message.getData());
			stored.put(UUID.fromString(id.substring(id.length() - ID_LENGTH)), micros(message.metaData().timestamp()));
			if (changes.merge(change.account(), 1L, Long::sum) != change.change()) {
				throw new WrongResultException("Contender '" + contender + "' publishes change " + change.change()
						+ " of '" + change.account() + "' out of order or twice.");
			}
		}
		long found = reader.jetStreamManagement().getStreamInfo(NAME).getStreamState().getMsgCount();
		if (found != events) {
			throw new WrongResultException(
					"Contender '" + contender + "' publishes " + found + " messages for " + events + " events.");
		}
		return stored;
	}

	private static long micros(ZonedDateTime time) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant());
	}

}
