package dev.eventing.samples.orders.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.check.Reconciliation;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.sdk.deadletter.DeadLetter;

/**
 * What came of a run.
 *
 * @param events how many different events were published
 * @param copies how many of them the stream stored twice
 * @param work what each projector did
 * @param deadLetters what they gave up
 * @param orderSummaries the rows of {@code order_summary}
 * @param itemSales the rows of {@code order_item_sales_daily}
 * @param reconciliation whether these rows are what they should be
 * @param publishing how long publishing took
 * @param total how long it took until the projectors were done
 */
public record Outcome(long events, long copies, List<Work> work, List<DeadLetter> deadLetters,
		List<OrderSummary> orderSummaries, List<ItemSales> itemSales, Reconciliation reconciliation,
		Duration publishing, Duration total) {

	/** Whether all is as it should be. */
	public boolean isGood() {
		return problems().isEmpty();
	}

	/** What is not as it should be, in words. */
	public List<String> problems() {
		List<String> problems = new ArrayList<>(this.reconciliation.differences());
		for (Work each : this.work) {
			if (!each.isRight()) {
				problems.add("%s has %d events and %d copies, but counts %s".formatted(each.status().projector(),
						each.events(), each.copies(), each.counts()));
			}
		}
		if (this.copies == 0) {
			problems.add("no event was stored twice, so that nothing shows that duplicates are skipped");
		}
		if (this.deadLetters.size() != this.work.stream().mapToLong((each) -> each.counts().deadLetters()).sum()) {
			problems.add("the ledger holds " + this.deadLetters.size() + " dead letters, the projectors count others");
		}
		return problems;
	}

}
