package dev.eventing.samples.orders.rebuild;

import java.util.List;

import dev.eventing.samples.orders.check.Comparison;
import dev.eventing.samples.orders.check.ReadModelChecks;
import dev.eventing.samples.orders.check.StoredOrders;
import dev.eventing.samples.orders.projection.ReadModels;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Finds out whether the read models that readers see are what the events say. */
@Component
@Profile("rebuild")
class ReadModelAudit {

	private static final String ACTOR = "sample";

	private final Reconciliations reconciliations;

	private final OrderSummaryTables tables;

	private final ReadModels readModels;

	private final StoredOrders stored;

	ReadModelAudit(Reconciliations reconciliations, OrderSummaryTables tables, ReadModels readModels,
			StoredOrders stored) {
		this.reconciliations = reconciliations;
		this.tables = tables;
		this.readModels = readModels;
		this.stored = stored;
	}

	/** Looks at {@code order_summary}; orders may be placed meanwhile. */
	View view() {
		Rows before = this.tables.rows();
		ReconciliationResult result = this.reconciliations.run(ReadModelChecks.ORDER_SUMMARY, ACTOR);
		if (result.answer() == null) {
			throw new IllegalStateException("No answer: " + result.error());
		}
		return new View(before, this.tables.rows(), result.answer().differences());
	}

	/** Runs all checks of both read models; orders may be placed meanwhile. */
	List<ReconciliationResult> checks() {
		return this.reconciliations.checks()
			.stream()
			.map(ReconciliationCheck::name)
			.map((check) -> this.reconciliations.run(check, ACTOR))
			.toList();
	}

	/**
	 * Compares both read models with a fold of all events in plain Java; to be called
	 * when no order is placed and all events are applied.
	 */
	Comparison comparison() {
		return Comparison.of(this.stored.expected(), this.readModels.orderSummaries(), this.readModels.itemSales());
	}

}
