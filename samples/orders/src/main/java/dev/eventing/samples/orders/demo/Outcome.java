package dev.eventing.samples.orders.demo;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.orders.check.Comparison;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projection.ReconciliationResult;

/**
 * The result of a run.
 *
 * @param commands what was asked for
 * @param work what each projector did
 * @param deadLetters what they gave up, and what is parked behind that, in the order it
 * came
 * @param orderSummaries the rows of {@code order_summary}
 * @param itemSales the rows of {@code order_item_sales_daily}
 * @param comparison whether these rows are what they should be
 * @param checks what the checks of both read models found
 * @param times how long it took
 */
public record Outcome(Commands commands, List<Work> work, List<DeadLetter> deadLetters,
		List<OrderSummary> orderSummaries, List<ItemSales> itemSales, Comparison comparison, Checks checks,
		Demo.Times times) {

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

	/** The problems, in words. */
	public List<String> problems() {
		List<String> problems = new ArrayList<>(this.comparison.differences());
		problems.addAll(this.checks.problems());
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
	 * The commands of a run.
	 *
	 * @param given how many commands
	 * @param refused how many the rules forbade
	 * @param conflicts how often a command was decided again, because another writer was
	 * faster
	 */
	public record Commands(long given, long refused, long conflicts) {
	}

	/**
	 * The differences that the checks of both read models found.
	 *
	 * @param meanwhile their answers while orders were placed
	 * @param end the last run of each, when all events were applied
	 */
	public record Checks(List<ReconciliationResult> meanwhile, List<ReconciliationResult> end) {

		public Checks {
			meanwhile = List.copyOf(meanwhile);
			end = List.copyOf(end);
		}

		private List<String> problems() {
			List<String> problems = new ArrayList<>();
			this.meanwhile.stream()
				.filter(ReconciliationResult::hasDifferences)
				.forEach((result) -> problems.add("while orders were placed " + result));
			this.end.stream()
				.filter((result) -> result.answer() == null || result.hasDifferences())
				.forEach((result) -> problems.add("in the end " + result));
			return problems;
		}

	}

}
