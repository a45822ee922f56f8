package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import dev.eventing.samples.orders.check.StoredOrders;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.projection.OrderItemSalesDailyProjector;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.relay.Relays;

import org.springframework.stereotype.Component;

/** The way from the event store to the read models: a relay and two projectors. */
@Component
public class Pipeline {

	static final List<String> PROJECTORS = List.of(OrderSummaryProjector.NAME, OrderItemSalesDailyProjector.NAME);

	private static final String RELAY = "orders";

	/** The number of first events that are published twice. */
	private static final long PUBLISHED_TWICE = 500;

	private final StoredOrders stored;

	private final Relays relays;

	private final ProjectorRegistry projectors;

	private final ProjectorProgress progress;

	private volatile long copiedUpTo;

	Pipeline(StoredOrders stored, Relays relays, ProjectorRegistry projectors, ProjectorProgress progress) {
		this.stored = stored;
		this.relays = relays;
		this.projectors = projectors;
		this.progress = progress;
	}

	/** Waits until the read models show all that has been appended. */
	public boolean awaitAll(Duration timeout) throws InterruptedException {
		long head = this.stored.head();
		boolean all = true;
		for (String projector : PROJECTORS) {
			all &= this.progress.awaitPosition(projector, head, timeout);
		}
		return all;
	}

	/** Whether a projector still has something to do. */
	boolean isBehind() {
		return PROJECTORS.stream().anyMatch((projector) -> this.progress.lag(projector).events() > 0);
	}

	/**
	 * Publishes the first events once more, as after a loss of the stream. JetStream
	 * stores those again whose first publish it has forgotten.
	 */
	void publishSomeAgain() {
		this.relays.republish(RELAY, 1, PUBLISHED_TWICE);
		this.copiedUpTo = PUBLISHED_TWICE;
	}

	/** What each projector had to do and has done. */
	List<Work> work() {
		long head = this.stored.head();
		String shipped = EventTypes.nameOf(OrderShipped.class);
		return List.of(
				new Work(this.stored.count(head), this.stored.count(this.copiedUpTo),
						this.projectors.status(OrderSummaryProjector.NAME)),
				new Work(this.stored.count(shipped, head), this.stored.count(shipped, this.copiedUpTo),
						this.projectors.status(OrderItemSalesDailyProjector.NAME)));
	}

	/** Where all of it stands, in a line. */
	public String standing() {
		return String.format(Locale.ROOT, "appended up to %,d, published up to %,d; behind: %s", this.stored.head(),
				this.relays.status(RELAY).position(),
				String.join(", ", PROJECTORS.stream().map(this::behind).toList()));
	}

	private String behind(String projector) {
		return String.format(Locale.ROOT, "%s %,d", projector, this.progress.lag(projector).events());
	}

}
