package dev.eventing.samples.orders.check;

import java.util.HashMap;
import java.util.Map;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.Event;

/**
 * What the stream has confirmed so far, and the read models that should come of it.
 * Thread-safe.
 */
public final class PublishedEvents {

	private final Map<String, Long> events = new HashMap<>();

	private final Map<String, Long> copies = new HashMap<>();

	private final ExpectedReadModels expected = new ExpectedReadModels();

	/** The stream has the event; those before it in its order were told here before. */
	public synchronized void stored(Event<OrderEvent> event) {
		this.events.merge(event.type(), 1L, Long::sum);
		this.expected.apply(event);
	}

	/** The stream has the event once more: that must change nothing. */
	public synchronized void storedAgain(Event<OrderEvent> event) {
		this.copies.merge(event.type(), 1L, Long::sum);
	}

	/** How many different events were published. */
	public synchronized long events() {
		return sum(this.events);
	}

	/** How many events of this type were published. */
	public synchronized long events(String type) {
		return this.events.getOrDefault(type, 0L);
	}

	/** How often the stream stored an event it had already. */
	public synchronized long copies() {
		return sum(this.copies);
	}

	/** How often it did so with an event of this type. */
	public synchronized long copies(String type) {
		return this.copies.getOrDefault(type, 0L);
	}

	/** What the tables should hold; to be read when nothing is being published. */
	public ExpectedReadModels expected() {
		return this.expected;
	}

	private static long sum(Map<String, Long> counts) {
		return counts.values().stream().mapToLong(Long::longValue).sum();
	}

}
