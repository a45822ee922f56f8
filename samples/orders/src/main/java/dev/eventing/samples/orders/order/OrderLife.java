package dev.eventing.samples.orders.order;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import dev.eventing.samples.orders.event.Line;
import dev.eventing.samples.orders.order.OrderCommand.Decision;

/**
 * One order's way through the shop, as chance has it: most are shipped, some are left
 * behind or cancelled on the way. Now and then two people want something of it at the
 * same time.
 */
final class OrderLife {

	private static final Instant OPENING = Instant.parse("2026-03-02T08:00:00Z");

	private static final int OPEN_SECONDS = (int) Duration.ofDays(10).toSeconds();

	private static final Item[] ITEMS = Item.values();

	private static final String CUSTOMER = "customer";

	private final List<List<OrderCommand>> steps = new ArrayList<>();

	private final SplittableRandom random;

	/** The order after the events so far. */
	private Order order;

	private Instant now;

	OrderLife(String orderId, SplittableRandom random) {
		this.order = Order.unheardOf(orderId);
		this.random = random;
		this.now = OPENING.plusSeconds(random.nextInt(OPEN_SECONDS));
	}

	/** The commands, step by step. The commands of one step come at the same time. */
	List<List<OrderCommand>> steps() {
		return this.steps;
	}

	void live(String currency) {
		fill(currency);
		if (chance(4)) {
			return;
		}
		if (chance(4)) {
			step(CUSTOMER, (order) -> order.cancel("changed mind"));
			return;
		}
		step(CUSTOMER, Order::submit);
		if (chance(5)) {
			step("bank", (order) -> order.cancel("payment failed"));
			return;
		}
		if (chance(95)) {
			pay();
			end();
		}
	}

	private void end() {
		if (chance(4)) {
			step("warehouse", (order) -> order.cancel("out of stock"));
		}
		else if (chance(95)) {
			ship();
		}
	}

	/** From creation to shipment, without accidents. */
	void liveWell(String currency) {
		fill(currency);
		step(CUSTOMER, Order::submit);
		pay();
		ship();
	}

	private void fill(String currency) {
		String customerId = "customer-%03d".formatted(this.random.nextInt(500));
		step(CUSTOMER, (order) -> order.create(customerId, currency));
		int items = 1 + this.random.nextInt(4);
		for (int i = 0; i < items; i++) {
			if (chance(10)) {
				step(new OrderCommand(later(), "phone", addItem()), new OrderCommand(this.now, "tablet", addItem()));
			}
			else {
				step(CUSTOMER, addItem());
			}
		}
		if (this.order.lines().size() > 1 && chance(30)) {
			Line line = this.order.lines().values().iterator().next();
			int quantity = 1 + this.random.nextInt(line.quantity());
			step(CUSTOMER, (order) -> order.removeItem(line.sku(), quantity));
		}
	}

	private Decision addItem() {
		Item item = ITEMS[this.random.nextInt(ITEMS.length)];
		int quantity = 1 + this.random.nextInt(3);
		return (order) -> order.addItem(item.sku(), quantity, item.price());
	}

	/** Sometimes the bank says it twice: one of the two will be refused. */
	private void pay() {
		String paymentId = "payment-%08x".formatted(this.random.nextInt());
		Decision payment = (order) -> order.authorizePayment(paymentId);
		OrderCommand first = new OrderCommand(later(), "bank", payment);
		this.order = this.order.apply(payment.on(this.order));
		this.steps.add(chance(5) ? List.of(first, first) : List.of(first));
	}

	private void ship() {
		this.now = later().plus(Duration.ofHours(this.random.nextInt(48)));
		Instant at = this.now;
		String shipmentId = "shipment-%08x".formatted(this.random.nextInt());
		String carrier = chance(50) ? "Snail & Sons" : "Swift";
		step(new OrderCommand(at, "warehouse",
				(order) -> order.ship(shipmentId, carrier, at.atZone(ZoneOffset.UTC).toLocalDate())));
	}

	private void step(String actor, Decision decision) {
		step(new OrderCommand(later(), actor, decision));
	}

	private void step(OrderCommand... commands) {
		for (OrderCommand command : commands) {
			this.order = this.order.apply(command.decision().on(this.order));
		}
		this.steps.add(List.of(commands));
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

	private Instant later() {
		this.now = this.now.plusSeconds(20 + this.random.nextInt(900));
		return this.now;
	}

}
