package dev.eventing.samples.orders.order;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.event.OrderEvent;
import dev.eventing.sdk.event.Event;

/** Folds the events of commands, one after the other. */
public final class Folded {

	private final List<OrderEvent> events = new ArrayList<>();

	private Order order;

	private int refused;

	Folded(String orderId) {
		this.order = Order.unheardOf(orderId);
	}

	static Folded of(OrderScript script) {
		Folded folded = new Folded(script.orderId());
		script.steps().forEach((step) -> step.forEach(folded::tryTo));
		return folded;
	}

	/** The events of an order as its stream would have them. */
	public static List<Event<OrderEvent>> events(OrderScript script) {
		Folded folded = new Folded(script.orderId());
		List<Event<OrderEvent>> events = new ArrayList<>();
		script.steps().forEach((step) -> step.forEach((command) -> {
			int before = folded.events.size();
			folded.tryTo(command);
			folded.events.stream()
				.skip(before)
				.forEach((payload) -> events.add(Event.builder(script.tenantId(), payload)
					.time(command.at())
					.streamId(script.orderId())
					.build()));
		}));
		return events;
	}

	void tryTo(OrderCommand command) {
		try {
			happen(command.decision());
		}
		catch (OrderRefusedException ex) {
			this.refused++;
		}
	}

	void happen(OrderCommand.Decision decision) {
		OrderEvent event = decision.on(this.order);
		this.order = this.order.apply(event);
		this.events.add(event);
	}

	Order order() {
		return this.order;
	}

	List<OrderEvent> events() {
		return this.events;
	}

	OrderEvent last() {
		return this.events.get(this.events.size() - 1);
	}

	int refused() {
		return this.refused;
	}

}
