package dev.eventing.samples.orders.order;

import java.time.Instant;

import dev.eventing.samples.orders.event.OrderEvent;

/**
 * What somebody wants of an order.
 *
 * @param at when, by the shop's calendar
 * @param actor who wants it
 * @param decision what comes of it
 */
public record OrderCommand(Instant at, String actor, Decision decision) {

	/** Decides by the order as it is. */
	@FunctionalInterface
	public interface Decision {

		/**
		 * What happens to the order.
		 * @throws OrderRefusedException if its rules forbid it
		 */
		OrderEvent on(Order order);

	}

}
