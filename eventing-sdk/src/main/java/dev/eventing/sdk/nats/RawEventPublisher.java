package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.jspecify.annotations.Nullable;

/**
 * Publishes encoded events to JetStream without waiting and without retries, for callers
 * that keep a window of unacknowledged events. Thread-safe.
 *
 * <p>
 * Futures complete on a thread of the client, which must not be blocked. They complete
 * exceptionally with {@link EventRefusedException} if publishing again will not help,
 * with {@link SubjectNotTakenException} if the subject has no subscriber, with
 * {@link SubjectFullException} or {@link StreamNotTakingException} if the stream takes no
 * such event now, with {@link SubjectDeniedException} if the server denies the publish,
 * and with another {@link NatsUnavailableException} if the event may or may not be in the
 * stream. Without an answer they complete only after several seconds; a caller that must
 * know earlier needs its own time-out.
 */
public final class RawEventPublisher implements AutoCloseable {

	private static final String BATCHES_SINCE = "2.12.0";

	private final NatsClient client;

	private final Streams streams;

	private volatile @Nullable Line line;

	public RawEventPublisher(NatsClient client, Streams streams) {
		this.client = client;
		this.streams = streams;
	}

	/**
	 * Publishes one event. An event that is larger than the server accepts is rejected
	 * before it is sent, because the server would close the connection.
	 * @throws NatsUnavailableException if there is no connection
	 */
	public CompletableFuture<Published> publishAsync(RawEvent event) {
		Line current = line(List.of(event));
		Message message;
		try {
			message = message(current, event, event.headers());
		}
		catch (EventRefusedException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		try {
			return current.confirmations().publish(message).handle((confirmation, error) -> {
				if (error != null) {
					throw failure(event, error);
				}
				return confirmation;
			});
		}
		catch (IllegalStateException ex) {
			throw notSent(ex);
		}
	}

	/**
	 * Publishes events as one atomic batch (ADR-50): all are stored in this order, or
	 * none. The server rejects the whole batch if the stream does not allow atomic
	 * batches, if the events belong to several streams, or if the stream has one of them
	 * already within its duplicate window. Needs nats-server 2.12.
	 * @param events at least one, at most what the server allows (1000 by default)
	 * @return the confirmation of the last event
	 * @throws NatsUnavailableException if there is no connection
	 */
	public CompletableFuture<Published> publishBatch(List<RawEvent> events) {
		Line current = line(events);
		if (!current.connection().getServerInfo().isSameOrNewerThanVersion(BATCHES_SINCE)) {
			return CompletableFuture
				.failedFuture(new EventRefusedException("Atomic batches need nats-server " + BATCHES_SINCE
						+ ", and this is " + current.connection().getServerInfo().getVersion() + ".", null));
		}
		Message last;
		try {
			last = publishAllButTheLast(current, events);
		}
		catch (EventRefusedException ex) {
			return CompletableFuture.failedFuture(ex); // the server drops the incomplete
														// batch
		}
		catch (IllegalStateException ex) {
			throw notSent(ex);
		}
		RawEvent event = events.get(events.size() - 1);
		return committed(current, last).handle((ack, error) -> {
			if (error != null) {
				throw failure(event, error);
			}
			requireWholeBatch(ack, events.size());
			return confirmed(event, ack);
		});
	}

	/** Returns the last message, which ends the batch. */
	private static @Nullable Message publishAllButTheLast(Line line, List<RawEvent> events) {
		String batch = UUID.randomUUID().toString();
		Message last = null;
		for (int i = 0; i < events.size(); i++) {
			if (last != null) {
				line.connection().publish(last);
			}
			EventHeaders.Builder headers = events.get(i)
				.headers()
				.toBuilder()
				.add("Nats-Batch-Id", batch)
				.add("Nats-Batch-Sequence", Integer.toString(i + 1));
			if (i == events.size() - 1) {
				headers.add("Nats-Batch-Commit", "1");
			}
			last = message(line, events.get(i), headers.build());
		}
		return last;
	}

	private void requireWholeBatch(PublishAck ack, int events) {
		String domain = this.client.jetStreamDomain();
		if (domain != null && !domain.equals(ack.getDomain())) {
			throw new NatsUnavailableException("A batch is confirmed by stream '" + ack.getStream()
					+ "' of JetStream domain '" + ack.getDomain() + "' in place of domain '" + domain
					+ "'. Consider removing the subjects from that stream, or events one by one.", null);
		}
		if (ack.getBatchSize() != events) {
			throw new NatsUnavailableException("A batch of " + events + " events is confirmed as one of "
					+ ack.getBatchSize() + ": stream '" + ack.getStream() + "' does not support atomic batches.", null);
		}
	}

	private Published confirmed(RawEvent event, PublishAck ack) {
		try {
			return Published.of(ack);
		}
		catch (UnstoredException ex) {
			throw failure(event, ex);
		}
	}

	private static CompletableFuture<PublishAck> committed(Line line, @Nullable Message last) {
		try {
			return line.jetStream().publishAsync(last);
		}
		catch (IllegalStateException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private Line line(List<RawEvent> events) {
		this.streams.declare(events.stream().map(RawEvent::subject).toList());
		Connection connection = this.client.connection();
		Line current = this.line;
		if (current == null || current.connection() != connection) {
			current = connect(connection);
		}
		return current;
	}

	private synchronized Line connect(Connection connection) {
		Line current = this.line;
		if (current == null || current.connection() != connection) {
			close();
			try {
				current = new Line(connection, connection.jetStream(this.client.jetStreamOptions()),
						new Confirmations(connection, this.client.jetStreamDomain()));
				this.client.deniedPublishes().add(current.confirmations());
			}
			catch (IOException ex) {
				throw new NatsUnavailableException("NATS at '" + this.client.describe() + "' is not connected.", ex);
			}
			catch (IllegalStateException ex) {
				throw notSent(ex);
			}
			this.line = current;
		}
		return current;
	}

	private static Message message(Line line, RawEvent event, EventHeaders eventHeaders) {
		Headers headers = EncodedHeaders.of(eventHeaders);
		Message message = NatsMessage.builder().subject(event.subject()).headers(headers).data(event.payload()).build();
		PayloadLimit.require(line.connection(), message);
		return message;
	}

	private RuntimeException failure(RawEvent event, Throwable error) {
		return PublishErrors.failure("The event for subject '" + event.subject() + "'", event.subject(), error,
				this.client.lastViolation());
	}

	private NatsUnavailableException notSent(IllegalStateException cause) {
		return new NatsUnavailableException("NATS at '" + this.client.describe() + "' accepts no messages now.", cause);
	}

	/** The last permission that the server denied, with the time; null if none. */
	public @Nullable String lastViolation() {
		return this.client.lastViolation();
	}

	/** Ignores further answers to earlier publishes. A later publish starts again. */
	@Override
	public synchronized void close() {
		Line current = this.line;
		if (current != null) {
			this.client.deniedPublishes().remove(current.confirmations());
			current.confirmations().close();
			this.line = null;
		}
	}

	/** A connection with its JetStream. */
	private record Line(Connection connection, JetStream jetStream, Confirmations confirmations) {
	}

}
