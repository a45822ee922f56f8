package dev.eventing.samples.orders.order;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.SplittableRandom;

import dev.eventing.samples.orders.event.Line;

/**
 * One order's way through the shop, as chance has it: most are shipped, some are left
 * behind or cancelled on the way. {@link Order} keeps the rules.
 */
final class OrderLife {

	private static final Instant OPENING = Instant.parse("2026-03-02T08:00:00Z");

	private static final int OPEN_SECONDS = (int) Duration.ofDays(10).toSeconds();

	private static final Item[] ITEMS = Item.values();

	private final Order order;

	private final SplittableRandom random;

	private Instant now;

	OrderLife(Order order, SplittableRandom random) {
		this.order = order;
		this.random = random;
		this.now = OPENING.plusSeconds(random.nextInt(OPEN_SECONDS));
	}

	void live(String currency) {
		fill(currency);
		if (chance(4)) {
			return;
		}
		if (chance(4)) {
			this.order.cancel(later(), "changed mind");
			return;
		}
		this.order.submit(later());
		if (chance(5)) {
			this.order.cancel(later(), "payment failed");
			return;
		}
		if (chance(95)) {
			pay();
			end();
		}
	}

	private void end() {
		if (chance(4)) {
			this.order.cancel(later(), "out of stock");
		}
		else if (chance(95)) {
			ship();
		}
	}

	/** From creation to shipment, without accidents. */
	void liveWell(String currency) {
		fill(currency);
		this.order.submit(later());
		pay();
		ship();
	}

	private void fill(String currency) {
		this.order.create(this.now, "customer-%03d".formatted(this.random.nextInt(500)), currency);
		int items = 1 + this.random.nextInt(4);
		for (int i = 0; i < items; i++) {
			Item item = ITEMS[this.random.nextInt(ITEMS.length)];
			this.order.addItem(later(), item.sku(), 1 + this.random.nextInt(3), item.price());
		}
		if (this.order.lines().size() > 1 && chance(30)) {
			Line line = this.order.lines().get(0);
			this.order.removeItem(later(), line.sku(), 1 + this.random.nextInt(line.quantity()));
		}
	}

	private void pay() {
		this.order.authorizePayment(later(), "payment-%08x".formatted(this.random.nextInt()));
	}

	private void ship() {
		Instant at = later().plus(Duration.ofHours(this.random.nextInt(48)));
		this.order.ship(at, "shipment-%08x".formatted(this.random.nextInt()), chance(50) ? "Snail & Sons" : "Swift",
				at.atZone(ZoneOffset.UTC).toLocalDate());
	}

	private boolean chance(int percent) {
		return this.random.nextInt(100) < percent;
	}

	private Instant later() {
		this.now = this.now.plusSeconds(20 + this.random.nextInt(900));
		return this.now;
	}

}
