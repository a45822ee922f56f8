package dev.eventing.samples.orders.demo;

import java.util.Comparator;
import java.util.List;

import dev.eventing.samples.orders.check.Comparison;
import dev.eventing.samples.orders.check.CheckRuns;
import dev.eventing.samples.orders.check.StoredOrders;
import dev.eventing.samples.orders.demo.Outcome.Commands;
import dev.eventing.samples.orders.order.OrderService;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.samples.orders.projection.ReadModels;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;

import org.springframework.stereotype.Component;

/** Looks at what came of it all; to be asked when nothing is under way. */
@Component
class Inspection {

	private static final int MOST_LETTERS = 100;

	private final OrderFeed feed;

	private final OrderService service;

	private final Pipeline pipeline;

	private final StoredOrders stored;

	private final ReadModels readModels;

	private final DeadLetters deadLetters;

	private final CheckRuns checks;

	Inspection(OrderFeed feed, OrderService service, Pipeline pipeline, StoredOrders stored, ReadModels readModels,
			DeadLetters deadLetters, CheckRuns checks) {
		this.feed = feed;
		this.service = service;
		this.pipeline = pipeline;
		this.stored = stored;
		this.readModels = readModels;
		this.deadLetters = deadLetters;
		this.checks = checks;
	}

	Outcome inspect(Demo.Times times) {
		List<OrderSummary> orderSummaries = this.readModels.orderSummaries();
		List<ItemSales> itemSales = this.readModels.itemSales();
		List<DeadLetter> letters = Pipeline.PROJECTORS.stream()
			.flatMap((projector) -> letters(projector).stream())
			.sorted(Comparator.comparing(DeadLetter::number))
			.toList();
		return new Outcome(new Commands(this.feed.commands(), this.feed.refused(), this.service.conflicts()),
				this.pipeline.work(), letters, orderSummaries, itemSales,
				Comparison.of(this.stored.expected(), orderSummaries, itemSales),
				new Outcome.Checks(this.checks.scheduled(), this.checks.run()), times);
	}

	private List<DeadLetter> letters(String projector) {
		return this.deadLetters.find(DeadLetterFilter.ALL.withProjector(projector), null, MOST_LETTERS)
			.letters()
			.stream()
			.map((letter) -> this.deadLetters.get(letter.letterId()).orElseThrow())
			.toList();
	}

}
