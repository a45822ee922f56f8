package dev.eventing.samples.orders.order;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.event.OrderEvent;

/** What comes of commands one after the other. */
final class Folded {

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
