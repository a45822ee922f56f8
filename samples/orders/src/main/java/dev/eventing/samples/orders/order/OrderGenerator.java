package dev.eventing.samples.orders.order;

import java.util.List;
import java.util.SplittableRandom;

import dev.eventing.sdk.event.TenantId;

/**
 * Makes up orders of several tenants. The same seed and number give the same commands.
 * Thread-safe.
 */
public final class OrderGenerator {

	/** The shops; each numbers its orders from one, so that numbers repeat among them. */
	public static final List<TenantId> TENANTS = List.of(TenantId.of("acme"), TenantId.of("globex"),
			TenantId.of("initech"));

	/** The order that the table {@code order_summary} refuses. */
	public static final int POISON = 8;

	/** Reserved by ISO 4217 for tests; no read model of a shop should know it. */
	public static final String POISON_CURRENCY = "XTS";

	private static final List<String> CURRENCIES = List.of("EUR", "USD", "GBP");

	/** Spreads neighbouring numbers over all seeds. */
	private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

	private final long seed;

	public OrderGenerator(long seed) {
		this.seed = seed;
	}

	/**
	 * All that is wanted of one order.
	 * @param number from 1 on
	 */
	public OrderScript order(int number) {
		SplittableRandom random = new SplittableRandom(this.seed + number * GOLDEN_GAMMA);
		TenantId tenant = TENANTS.get(number % TENANTS.size());
		String orderId = "order-%06d".formatted(1 + number / TENANTS.size());
		OrderLife life = new OrderLife(orderId, random);
		if (number == POISON) {
			life.liveWell(POISON_CURRENCY);
		}
		else {
			life.live(CURRENCIES.get(random.nextInt(CURRENCIES.size())));
		}
		return new OrderScript(tenant, orderId, life.steps());
	}

}
