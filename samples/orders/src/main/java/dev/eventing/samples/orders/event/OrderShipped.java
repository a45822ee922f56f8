package dev.eventing.samples.orders.event;

import java.time.LocalDate;
import java.util.List;

import dev.eventing.sdk.event.EventType;

/**
 * The order left the warehouse.
 *
 * @param orderId the order
 * @param shipmentId the parcel
 * @param carrier who carries it
 * @param shippedOn the day of shipment by the warehouse's calendar, which no reader could
 * tell from an instant
 * @param currency what the prices are in
 * @param lines what is in the parcel, so that a reader needs no other event to count it
 */
@EventType("order.shipped")
public record OrderShipped(String orderId, String shipmentId, String carrier, LocalDate shippedOn, String currency,
		List<Line> lines) implements OrderEvent {

	public OrderShipped {
		lines = List.copyOf(lines);
	}

}
