package dev.eventing.samples.orders.check;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.eventing.samples.orders.projection.OrderItemSalesDailyProjector;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;

import org.springframework.stereotype.Component;

/** Runs the {@link ReadModelChecks} at the end, and knows what they found before. */
@Component
public class CheckRuns {

	private static final String ACTOR = "sample";

	/** A projector that reads JetStream knows its position after some seconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Reconciliations reconciliations;

	CheckRuns(Reconciliations reconciliations) {
		this.reconciliations = reconciliations;
	}

	/** Runs all checks; orders may be placed meanwhile. */
	public List<ReconciliationResult> run() {
		return this.reconciliations.checks().stream().map(ReconciliationCheck::name).map(this::answered).toList();
	}

	private ReconciliationResult answered(String check) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		ReconciliationResult result = this.reconciliations.run(check, ACTOR);
		while (result.answer() == null && System.nanoTime() < deadline) {
			LockSupport.parkNanos(PAUSE_NANOS);
			result = this.reconciliations.run(check, ACTOR);
		}
		return result;
	}

	/** The answers that the schedule got by itself, while orders were placed. */
	public List<ReconciliationResult> scheduled() {
		return Stream.of(OrderSummaryProjector.NAME, OrderItemSalesDailyProjector.NAME)
			.flatMap((projector) -> this.reconciliations.results(projector).stream())
			.filter((result) -> result.answer() != null && result.run().actor().startsWith("schedule "))
			.toList();
	}

}
