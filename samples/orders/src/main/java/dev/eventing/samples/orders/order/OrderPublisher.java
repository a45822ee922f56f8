package dev.eventing.samples.orders.order;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.nats.EventPublisher;

import org.springframework.stereotype.Component;

/** Publishes what happened to orders, such as to {@code acme.orders.created}. */
@Component
public class OrderPublisher {

	private static final String TYPE_PREFIX = "order.";

	private final EventPublisher publisher;

	OrderPublisher(EventPublisher publisher) {
		this.publisher = publisher;
	}

	/**
	 * Publishes an event and waits until the stream has it. Who awaits each event of an
	 * order before the next keeps their order in the stream.
	 * @return false if the stream had the event already and dropped this one
	 */
	public boolean publish(Event<OrderEvent> event) {
		String subject = "{tenant}.orders." + event.type().substring(TYPE_PREFIX.length());
		return !this.publisher.publish(subject, event).duplicate();
	}

}
