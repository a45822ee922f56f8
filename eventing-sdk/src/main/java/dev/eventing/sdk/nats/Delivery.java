package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One delivery of an event by JetStream. It is settled once, with ack, nak or term.
 * Settling does not wait for an answer. If a settlement is lost, the event is
 * redelivered, which {@code processed_events} makes harmless. Thread-safe.
 */
public final class Delivery {

	private static final Logger logger = LoggerFactory.getLogger(Delivery.class);

	private static final int REASON_LENGTH = 200;

	private final RawEvent raw;

	private final int size;

	private final EventPlace place;

	private final long number;

	private final long deliveredCount;

	private final long pending;

	private final NatsClient client;

	/** The subject of settlements. A redelivery of the same event has a newer one. */
	private volatile String replyTo;

	Delivery(RawEvent raw, int size, String stream, DeliveryMetadata metadata, NatsClient client, String replyTo) {
		this.raw = raw;
		this.size = size;
		this.place = new EventPlace(stream, metadata.sequence(), metadata.storedAt());
		this.number = metadata.number();
		this.deliveredCount = metadata.delivered();
		this.pending = metadata.pending();
		this.client = client;
		this.replyTo = replyTo;
	}

	public RawEvent raw() {
		return this.raw;
	}

	/** The total size in bytes, as the server counts it. */
	public int size() {
		return this.size;
	}

	/** The stream that delivered it, and its sequence there. */
	public EventPlace place() {
		return this.place;
	}

	/**
	 * The number of this delivery among all deliveries of its durable consumer. A gap in
	 * these numbers shows that deliveries were lost.
	 */
	public long number() {
		return this.number;
	}

	/** How often this durable consumer has delivered the event, including this time. */
	public long deliveredCount() {
		return this.deliveredCount;
	}

	/**
	 * The number of events that this durable consumer had not delivered yet when it
	 * delivered this one.
	 */
	public long pending() {
		return this.pending;
	}

	/** Acknowledges the event (ack): it will not be delivered again. */
	public void acknowledge() {
		send("+ACK");
	}

	/** Rejects the delivery (nak): the event is redelivered immediately. */
	public void nak() {
		send("-NAK");
	}

	/** Rejects the delivery (nak): the event is redelivered after the delay. */
	public void nak(Duration delay) {
		send("-NAK {\"delay\": " + Math.max(1, delay.toNanos()) + "}");
	}

	/**
	 * Terminates the event (term): it is never delivered to this durable consumer again.
	 */
	public void term(String reason) {
		String oneLine = reason.replaceAll("\\s+", " ");
		send("+TERM " + oneLine.substring(0, Math.min(oneLine.length(), REASON_LENGTH)));
	}

	/** Informs the server that work continues, so that the ack wait starts again. */
	public void inProgress() {
		send("+WPI");
	}

	/**
	 * Takes the settlement subject of a later delivery of the same event, so that the
	 * server accepts the settlement.
	 */
	public void renewFrom(Delivery later) {
		this.replyTo = later.replyTo;
	}

	private void send(String settlement) {
		try {
			this.client.send(this.replyTo, settlement.getBytes(StandardCharsets.UTF_8));
		}
		catch (IllegalStateException ex) {
			logger.debug("Settlement of {} could not be sent; the event will be delivered again.", this.place, ex);
		}
	}

	@Override
	public String toString() {
		return "Delivery[" + this.place + "]";
	}

}
