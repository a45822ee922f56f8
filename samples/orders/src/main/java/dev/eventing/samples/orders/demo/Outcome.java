package dev.eventing.samples.orders.demo;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.check.Reconciliation;
import dev.eventing.samples.orders.check.SqlChecks.Finding;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.sdk.deadletter.DeadLetter;

/**
 * What came of a run.
 *
 * @param commands what was asked for
 * @param work what each projector did
 * @param deadLetters what they gave up, and what is parked behind that, in the order it
 * came
 * @param orderSummaries the rows of {@code order_summary}
 * @param itemSales the rows of {@code order_item_sales_daily}
 * @param reconciliation whether these rows are what they should be
 * @param findings what queries found that must not be
 * @param times how long it took
 */
public record Outcome(Commands commands, List<Work> work, List<DeadLetter> deadLetters,
		List<OrderSummary> orderSummaries, List<ItemSales> itemSales, Reconciliation reconciliation,
		List<Finding> findings, Demo.Times times) {

	/** How many events were appended. */
	public long events() {
		return this.work.get(0).events();
	}

	/** How many of them the stream has twice. */
	public long copies() {
		return this.work.get(0).copies();
	}

	/** Whether all is as it should be. */
	public boolean isGood() {
		return problems().isEmpty();
	}

	/** What is not as it should be, in words. */
	public List<String> problems() {
		List<String> problems = new ArrayList<>(this.reconciliation.differences());
		for (Finding finding : this.findings) {
			if (finding.rows() > 0) {
				problems.add(finding.rows() + " " + finding.what());
			}
		}
		if (this.commands.given() - this.commands.refused() != events()) {
			problems.add("%d commands, of which %d were refused, gave %d events".formatted(this.commands.given(),
					this.commands.refused(), events()));
		}
		for (Work each : this.work) {
			if (!each.isRight()) {
				problems.add("%s has %d events and %d copies, but counts %s".formatted(each.status().projector(),
						each.events(), each.copies(), each.counts()));
			}
		}
		if (this.deadLetters.size() != letters()) {
			problems.add("the ledger holds " + this.deadLetters.size() + " dead letters, the projectors count others");
		}
		return problems;
	}

	private long letters() {
		return this.work.stream().mapToLong((each) -> each.counts().deadLetters() + each.counts().parked()).sum();
	}

	/**
	 * What was asked for.
	 *
	 * @param given how many commands
	 * @param refused how many the rules forbade
	 * @param conflicts how often a command was decided anew, because somebody else was
	 * faster
	 */
	public record Commands(long given, long refused, long conflicts) {
	}

}
