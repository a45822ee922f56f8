package dev.eventing.sdk.nats;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;

/**
 * Finds deliveries whose body the server left out, because somebody made their durable
 * deliver headers only. Whoever settled one would lose its event. Not thread-safe.
 */
final class LeftOutBodies {

	private final StoredMessages messages;

	LeftOutBodies(NatsClient client) {
		this.messages = new StoredMessages(client);
	}

	/**
	 * Whether the server left out the body of a delivery. Asks the server only if the
	 * headers claim this, because publishers can set the header too: then the body is as
	 * the stream has it.
	 * @throws NatsUnavailableException if JetStream does not answer
	 */
	boolean concerns(Delivery delivery) {
		return delivery.raw().isWithoutItsBody() && !isStoredLikeThis(delivery.place());
	}

	/** False also if the stream does not hold the message any more. */
	private boolean isStoredLikeThis(EventPlace place) {
		return JetStreamErrors.answer("Message " + place + " cannot be read", () -> {
			StoredMessages.Stored stored = this.messages.find(place.stream(), place.sequence());
			RawEvent raw = (stored != null) ? stored.raw() : null;
			return raw != null && raw.payload().length == 0;
		});
	}

}
