package dev.eventing.samples.orders.check;

import java.util.stream.Stream;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.StoredEvent;

import org.springframework.stereotype.Component;

/** What happened to all orders, as the event store has it. */
@Component
public class StoredOrders {

	private static final PayloadTypes<OrderEvent> TYPES = PayloadTypes.ofSealed(OrderEvent.class);

	private final EventLog log;

	StoredOrders(EventLog log) {
		this.log = log;
	}

	/** The place of the last event. */
	public long head() {
		return this.log.head();
	}

	/** How many events there are up to a place. */
	public long count(long upTo) {
		try (Stream<StoredEvent> events = upTo(upTo)) {
			return events.count();
		}
	}

	/** How many of this type there are up to a place. */
	public long count(String type, long upTo) {
		try (Stream<StoredEvent> events = upTo(upTo)) {
			return events.filter((stored) -> stored.event().type().equals(type)).count();
		}
	}

	/** The tables as they should be, once more folded from all that happened. */
	public ExpectedReadModels expected() {
		ExpectedReadModels expected = new ExpectedReadModels();
		try (Stream<StoredEvent> events = upTo(head())) {
			events.map(StoredEvent::event).forEach((event) -> {
				OrderEvent payload = TYPES.bind(event);
				expected.apply(event.map((unbound) -> payload));
			});
		}
		return expected;
	}

	private Stream<StoredEvent> upTo(long position) {
		return this.log.readAll(0, Long.MAX_VALUE).takeWhile((stored) -> stored.position() <= position);
	}

}
