package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a stream like a log: all events of some subjects, in the order of sequences, from
 * a sequence on. Nothing is acknowledged, and the server remembers nothing that a later
 * reader needs. After any error, and once it {@link #isStale is stale}, the caller closes
 * it and opens another one behind the last event that it got. For one thread.
 */
public final class StreamReader implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(StreamReader.class);

	/** The server removes the consumer of a reader that has disappeared after this. */
	private static final Duration GONE_AFTER = Duration.ofSeconds(30);

	/** What has arrived already comes within this time. */
	private static final Duration AT_ONCE = Duration.ofMillis(1);

	private final NatsClient client;

	private final String stream;

	private final String consumer;

	private final DurablePull pull;

	private long nextNumber = 1;

	private boolean broken;

	/**
	 * Opens a reader.
	 * @param filters the subjects
	 * @param behind it reads the events after this sequence
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server refuses
	 */
	public StreamReader(NatsClient client, String stream, Collection<String> filters, long behind) {
		this.client = client;
		this.stream = stream;
		this.consumer = "eventing-reader-" + UUID.randomUUID();
		ConsumerConfiguration configuration = ConsumerConfiguration.builder()
			.name(this.consumer)
			.ackPolicy(AckPolicy.None)
			.deliverPolicy(DeliverPolicy.ByStartSequence)
			.startSequence(behind + 1)
			.filterSubjects(new ArrayList<>(SubjectFilters.disjoint(filters)))
			.memStorage(true)
			.numReplicas(1)
			.inactiveThreshold(GONE_AFTER)
			.build();
		JetStreamErrors.answer("Stream '" + stream + "' cannot be read",
				() -> client.management().addOrUpdateConsumer(stream, configuration));
		this.pull = new DurablePull(client, stream, this.consumer, () -> false);
	}

	/**
	 * Whether the connection was lost, or events did not arrive. Then this reader cannot
	 * go on.
	 */
	public boolean isStale() {
		return this.broken || this.pull.isStale();
	}

	/** Whether {@link #next} may return events even without further room. */
	public boolean isRequestOpen() {
		return this.pull.isRequestOpen();
	}

	/**
	 * The number of bytes that were too few for the next event; otherwise 0.
	 */
	public long tooFewBytes() {
		return this.pull.tooFewBytes();
	}

	/**
	 * The next events, in order.
	 * @param limit the most events to return
	 * @param room the number of events that the caller can hold
	 * @param bytes the number of bytes that these may have
	 * @param wait how long to wait for the first one
	 * @return the events; empty if none came in time
	 * @throws DurableGoneException if the server has removed the reader's consumer
	 * @throws NatsUnavailableException if no server answers
	 * @throws JetStreamConfigurationException if the server refuses
	 */
	public List<Delivery> next(int limit, int room, long bytes, Duration wait) throws InterruptedException {
		List<Delivery> page = new ArrayList<>();
		Delivery delivery = this.pull.next(room, bytes, wait);
		while (delivery != null && isNext(delivery)) {
			page.add(delivery);
			delivery = (page.size() < limit && this.pull.isRequestOpen()) ? this.pull.next(0, 0, AT_ONCE) : null;
		}
		return page;
	}

	/** The server numbers what it sends to a consumer. */
	private boolean isNext(Delivery delivery) {
		this.broken |= delivery.number() != this.nextNumber;
		this.nextNumber++;
		return !this.broken;
	}

	@Override
	public void close() {
		this.pull.close();
		try {
			if (this.client.isConnected()) {
				JetStreamErrors.answer("Consumer '" + this.consumer + "' cannot be deleted",
						() -> this.client.management().deleteConsumer(this.stream, this.consumer));
			}
		}
		catch (EventingException ex) {
			logger.debug("The server removes consumer '{}' of stream '{}' by itself.", this.consumer, this.stream, ex);
		}
	}

}
