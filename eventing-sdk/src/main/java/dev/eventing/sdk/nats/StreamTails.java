package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.EventHeaders;
import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.StreamInfo;
import org.jspecify.annotations.Nullable;

/** Reads the ends of streams. Thread-safe. */
public final class StreamTails {

	private static final int PAGE = 1000;

	private static final long PATIENCE_MILLIS = 2000;

	private static final Duration GONE_AFTER = Duration.ofSeconds(10);

	private final NatsClient client;

	private final StoredMessages messages;

	public StreamTails(NatsClient client) {
		this.client = client;
		this.messages = new StoredMessages(client);
	}

	/**
	 * The tails of all streams that carry a subject of these filters.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public List<StreamTail> carrying(Collection<String> filters) {
		Map<String, StreamTail> tails = new LinkedHashMap<>();
		return JetStreamErrors.answer("The streams that carry " + filters + " cannot be looked up", () -> {
			for (String filter : filters) {
				for (String name : this.client.management().getStreamNames(filter)) {
					find(name).ifPresent((tail) -> tails.put(name, tail));
				}
			}
			return List.copyOf(tails.values());
		});
	}

	/**
	 * The tail of a stream; empty if there is no such stream.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	public Optional<StreamTail> find(String stream) {
		try {
			StreamInfo info = this.client.management().getStreamInfo(stream);
			return Optional.of(new StreamTail(stream, info.getCreateTime().toInstant().truncatedTo(ChronoUnit.MICROS),
					List.copyOf(info.getConfiguration().getSubjects()), info.getStreamState().getFirstSequence(),
					info.getStreamState().getLastSequence()));
		}
		catch (JetStreamApiException ex) {
			if (ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				return Optional.empty();
			}
			throw JetStreamErrors.translate("Stream '" + stream + "' cannot be looked up", ex);
		}
		catch (IOException | IllegalStateException ex) {
			throw JetStreamErrors.translate("Stream '" + stream + "' cannot be looked up", ex);
		}
	}

	/**
	 * Passes the headers of the messages from one sequence to another to the reader, in
	 * order. Skips deleted messages.
	 * @throws NatsUnavailableException if JetStream does not answer; then the reader has
	 * not received all of them
	 */
	public void read(String stream, long from, long to, Consumer<TailMessage> reader) {
		if (from > to) {
			return;
		}
		try {
			Connection connection = this.client.connection();
			ConsumerContext consumer = consumer(connection, this.client.jetStreamOptions(), stream, from);
			if (consumer == null) {
				readOneByOne(stream, from, to, reader);
				return;
			}
			try {
				long read = readPages(consumer, DeliveryPort.reader(connection), from, to, reader);
				// a replica may lag behind the leader, which answers these
				readOneByOne(stream, read + 1, to, reader);
			}
			finally {
				delete(stream, consumer);
			}
		}
		catch (IOException | JetStreamApiException | JetStreamStatusCheckedException | IllegalStateException ex) {
			throw failure(stream, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NatsUnavailableException("Interrupted while reading the end of stream '" + stream + "'.", ex);
		}
	}

	/** A server answers no request that it denies. */
	private EventingException failure(String stream, Exception cause) {
		EventingException failure = JetStreamErrors.translate("The end of stream '" + stream + "' cannot be read",
				cause);
		String denied = this.client.lastViolation();
		if (denied == null || !(failure instanceof NatsUnavailableException)) {
			return failure;
		}
		return new NatsUnavailableException(failure.getMessage() + " The server reported: " + denied + ".", cause);
	}

	/**
	 * An ephemeral consumer of headers; null if the stream does not allow one, such as a
	 * stream with work-queue retention.
	 */
	private static @Nullable ConsumerContext consumer(Connection connection, JetStreamOptions options, String stream,
			long from) throws IOException, JetStreamApiException {
		ConsumerConfiguration configuration = ConsumerConfiguration.builder()
			.ackPolicy(AckPolicy.None)
			.deliverPolicy(DeliverPolicy.ByStartSequence)
			.startSequence(Math.max(1, from))
			.headersOnly(true)
			.memStorage(true)
			.inactiveThreshold(GONE_AFTER)
			.build();
		try {
			return connection.getStreamContext(stream, options).createOrUpdateConsumer(configuration);
		}
		catch (JetStreamApiException ex) {
			if (JetStreamErrors.isTransient(ex) || ex.getErrorCode() == JetStreamErrors.NOT_FOUND) {
				throw ex;
			}
			return null;
		}
	}

	/**
	 * Reads what the consumer's server has, which may be a replica of the stream.
	 * @return the last sequence that was read
	 */
	private static long readPages(ConsumerContext consumer, Packed packed, long from, long to,
			Consumer<TailMessage> reader)
			throws IOException, JetStreamApiException, JetStreamStatusCheckedException, InterruptedException {
		long sequence = from - 1;
		if (consumer.getConsumerInfo().getNumPending() == 0) {
			return sequence;
		}
		while (sequence < to) {
			int page = (int) Math.min(PAGE, to - sequence);
			FetchConsumer messages = consumer
				.fetch(FetchConsumeOptions.builder().maxMessages(page).expiresIn(PATIENCE_MILLIS).build());
			long before = sequence;
			for (Message message = messages.nextMessage(); message != null; message = messages.nextMessage()) {
				sequence = message.metaData().streamSequence();
				if (sequence <= to) {
					reader.accept(new TailMessage(sequence, packed.read(message).headers()));
				}
				if (sequence >= to || message.metaData().pendingCount() == 0) {
					return sequence;
				}
			}
			if (sequence == before) {
				throw new IOException("No message came within " + PATIENCE_MILLIS + " ms.");
			}
		}
		return sequence;
	}

	/** Reads from the leader of the stream. */
	private void readOneByOne(String stream, long from, long to, Consumer<TailMessage> reader)
			throws IOException, JetStreamApiException {
		long sequence = Math.max(1, from);
		while (sequence <= to) {
			StoredMessages.Stored message = this.messages.next(stream, sequence, ">");
			if (message == null) {
				return;
			}
			if (message.sequence() <= to) {
				reader.accept(new TailMessage(message.sequence(), message.raw().headers()));
			}
			sequence = message.sequence() + 1;
		}
	}

	private void delete(String stream, ConsumerContext consumer) {
		try {
			JetStreamErrors.answer("A consumer of stream '" + stream + "' cannot be deleted",
					() -> this.client.management().deleteConsumer(stream, consumer.getConsumerName()));
		}
		catch (EventingException ex) {
			// the server removes it automatically after some time without requests
		}
	}

	/**
	 * A message without its body.
	 *
	 * @param sequence its sequence in the stream
	 * @param headers its headers
	 */
	public record TailMessage(long sequence, EventHeaders headers) {
	}

}
