package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.RawEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One hand-over of an event by JetStream. It is settled once: acknowledged, given back,
 * or terminated. Settling sends without waiting for an answer: a settlement that is lost
 * costs a further delivery, which {@code processed_events} makes harmless. Thread-safe.
 */
public final class Delivery {

	private static final Logger logger = LoggerFactory.getLogger(Delivery.class);

	private static final int REASON_LENGTH = 200;

	private final RawEvent raw;

	private final int size;

	private final Position position;

	private final long number;

	private final long deliveredCount;

	private final long pending;

	private final NatsClient client;

	/** Where settlements go; a later hand-over of the same event brings a newer one. */
	private volatile String replyTo;

	Delivery(RawEvent raw, int size, Position position, long number, long deliveredCount, long pending,
			NatsClient client, String replyTo) {
		this.raw = raw;
		this.size = size;
		this.position = position;
		this.number = number;
		this.deliveredCount = deliveredCount;
		this.pending = pending;
		this.client = client;
		this.replyTo = replyTo;
	}

	public RawEvent raw() {
		return this.raw;
	}

	/** How many bytes it has, all told, as the server counts them. */
	public int size() {
		return this.size;
	}

	/** Where the event lies. */
	public Position position() {
		return this.position;
	}

	/**
	 * The how-manieth hand-over of its durable it is, those of all events counted: who
	 * gets all of them misses no number.
	 */
	public long number() {
		return this.number;
	}

	/** How often this durable handed the event over, this time included. */
	public long deliveredCount() {
		return this.deliveredCount;
	}

	/** How many events of this durable had not been handed over when this one was. */
	public long pending() {
		return this.pending;
	}

	/** The event is done with: it will not be delivered again. */
	public void acknowledge() {
		send("+ACK");
	}

	/** Gives the event back, to be delivered again at once. */
	public void nak() {
		send("-NAK");
	}

	/** Gives the event back, to be delivered again after the delay. */
	public void nak(Duration delay) {
		send("-NAK {\"delay\": " + Math.max(1, delay.toNanos()) + "}");
	}

	/** The event is never to be delivered again to this durable. */
	public void term(String reason) {
		String oneLine = reason.replaceAll("\\s+", " ");
		send("+TERM " + oneLine.substring(0, Math.min(oneLine.length(), REASON_LENGTH)));
	}

	/** Tells the server that work goes on, so that the ack wait begins anew. */
	public void inProgress() {
		send("+WPI");
	}

	/**
	 * Takes over the place of a later hand-over of the same event, so that settlements
	 * count.
	 */
	public void renewFrom(Delivery later) {
		this.replyTo = later.replyTo;
	}

	private void send(String settlement) {
		try {
			this.client.send(this.replyTo, settlement.getBytes(StandardCharsets.UTF_8));
		}
		catch (IllegalStateException ex) {
			logger.debug("Settlement of {} could not be sent; the event will be delivered again.", this.position, ex);
		}
	}

	@Override
	public String toString() {
		return "Delivery[" + this.position + "]";
	}

	/**
	 * Where an event lies in JetStream.
	 *
	 * @param stream the stream's name
	 * @param sequence the event's sequence in the stream
	 * @param storedAt when the stream stored it: tells it from another event under the
	 * same sequence of a stream that was made anew
	 */
	public record Position(String stream, long sequence, Instant storedAt) {

		@Override
		public String toString() {
			return this.stream + ":" + this.sequence;
		}

	}

}
