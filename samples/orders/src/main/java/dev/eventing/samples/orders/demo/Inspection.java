package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.eventing.samples.orders.check.PublishedEvents;
import dev.eventing.samples.orders.check.Reconciliation;
import dev.eventing.samples.orders.event.OrderShipped;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderItemSalesDailyProjector;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.samples.orders.projection.ReadModels;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterLedger;
import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.projector.ProjectorRegistry;

import org.springframework.stereotype.Component;

/** Looks at what the projectors did. */
@Component
class Inspection {

	private static final int MOST_LETTERS = 100;

	private final ProjectorRegistry projectors;

	private final DeadLetterLedger deadLetters;

	private final ReadModels readModels;

	private final PublishedEvents published;

	Inspection(ProjectorRegistry projectors, DeadLetterLedger deadLetters, ReadModels readModels,
			PublishedEvents published) {
		this.projectors = projectors;
		this.deadLetters = deadLetters;
		this.readModels = readModels;
		this.published = published;
	}

	/** What each projector has done by now. */
	List<Work> work() {
		String shipped = EventTypes.nameOf(OrderShipped.class);
		return List.of(
				new Work(this.published.events(), this.published.copies(),
						this.projectors.status(OrderSummaryProjector.NAME)),
				new Work(this.published.events(shipped), this.published.copies(shipped),
						this.projectors.status(OrderItemSalesDailyProjector.NAME)));
	}

	/** What came of it all; to be asked when nothing is being published. */
	Outcome inspect(Duration publishing, Duration total) {
		List<OrderSummary> orderSummaries = this.readModels.orderSummaries();
		List<ItemSales> itemSales = this.readModels.itemSales();
		List<DeadLetter> letters = Stream.of(OrderSummaryProjector.NAME, OrderItemSalesDailyProjector.NAME)
			.flatMap((projector) -> this.deadLetters.find(projector, MOST_LETTERS).stream())
			.toList();
		return new Outcome(this.published.events(), this.published.copies(), work(), letters, orderSummaries, itemSales,
				Reconciliation.of(this.published.expected(), orderSummaries, itemSales), publishing, total);
	}

}
