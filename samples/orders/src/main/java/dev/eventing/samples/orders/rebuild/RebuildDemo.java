package dev.eventing.samples.orders.rebuild;

import java.util.Locale;
import java.util.concurrent.ExecutionException;

import dev.eventing.samples.orders.demo.Progress;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ReconciliationResult;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Version 2 of {@code order_summary} has a column that version 1 does not fill. It is
 * built beside the live read model while orders are placed, compared, switched to, rolled
 * back, and switched to for good.
 */
@Component
@Profile("rebuild")
public class RebuildDemo {

	private final OrderTraffic traffic;

	private final OrderSummaryTables tables;

	private final Generations generations;

	private final ReadModelAudit audit;

	private final Progress progress;

	RebuildDemo(OrderTraffic traffic, OrderSummaryTables tables, Generations generations, ReadModelAudit audit,
			Progress progress) {
		this.traffic = traffic;
		this.tables = tables;
		this.generations = generations;
		this.audit = audit;
		this.progress = progress;
	}

	/** What version 1 does before version 2 is deployed: the first orders are placed. */
	public void placeFirst() throws InterruptedException, ExecutionException {
		say("taking commands for the first orders; the table order_summary refuses one of them");
		this.traffic.placeFirst();
	}

	/** Runs it from the deployment of version 2 to the end, and tells what happens. */
	public RebuildOutcome run() throws InterruptedException, ExecutionException {
		this.traffic.keepComing();
		say("version 2 is deployed beside version 1; its migration adds the column created_at to order_summary, "
				+ "which has rows; new orders keep coming");
		say("  " + this.audit.view());
		Candidate candidate = build();
		View switched = exchange("switch", "compared");
		View rolledBack = exchange("rollback", "a report looks odd");
		exchange("switch", "the report was wrong");
		say("retire: " + this.generations.retire("the new generation is right"));
		this.traffic.end();
		say(String.format(Locale.ROOT, "%,d orders were placed; both read models have them all",
				this.traffic.placed()));
		RebuildOutcome outcome = new RebuildOutcome(candidate, switched, rolledBack, this.audit.view(),
				this.audit.checks(), this.audit.comparison());
		tell(outcome);
		return outcome;
	}

	private Candidate build() throws InterruptedException {
		ProjectionGeneration generation = this.generations.build("created_at of old orders");
		String schema = String.valueOf(generation.schema());
		say("generation %d, of version %d, is ready in the schema %s".formatted(generation.generation(),
				generation.version(), schema));
		Candidate candidate = new Candidate(this.audit.view(), this.tables.rows(schema), this.tables.compare());
		say("  " + candidate.live());
		say("  the new generation has " + candidate.rows());
		say("  " + candidate.agreement());
		if (!candidate.isGood()) {
			throw new IllegalStateException("This generation is not switched to: " + candidate);
		}
		return candidate;
	}

	private View exchange(String what, String reason) throws InterruptedException {
		say(what + ": " + this.generations.exchange(reason));
		View view = this.audit.view();
		say("  " + view);
		return view;
	}

	private void tell(RebuildOutcome outcome) {
		say("  " + outcome.end());
		for (ReconciliationResult check : outcome.checks()) {
			say("check '%s': %s".formatted(check.check(),
					(check.answer() != null) ? check.answer().differences() + " differences" : check.error()));
		}
		say(outcome.comparison().toString());
		outcome.problems().stream().limit(20).forEach((problem) -> say("  NOT RIGHT: " + problem));
	}

	private void say(String text) {
		this.progress.say(text);
	}

}
