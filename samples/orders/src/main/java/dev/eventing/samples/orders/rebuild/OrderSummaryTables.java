package dev.eventing.samples.orders.rebuild;

import java.time.Duration;

import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The table {@code order_summary} that readers see, and that of the generation beside it.
 */
@Component
@Profile("rebuild")
class OrderSummaryTables {

	private static final String ACTOR = "sample";

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final JdbcClient jdbc;

	private final Reconciliations reconciliations;

	OrderSummaryTables(JdbcClient jdbc, Reconciliations reconciliations) {
		this.jdbc = jdbc;
		this.reconciliations = reconciliations;
	}

	/** The rows that readers see. */
	Rows rows() {
		return rowsOf("order_summary");
	}

	/** The rows in the schema of a generation beside the live one. */
	Rows rows(String schema) {
		return rowsOf(schema + ".order_summary");
	}

	private Rows rowsOf(String table) {
		return this.jdbc
			.sql("select count(*) as total, count(*) filter (where created_at is null) as empty from " + table)
			.query((row, number) -> new Rows(row.getLong("total"), row.getLong("empty")))
			.single();
	}

	/**
	 * Compares the live generation with the one beside it, while orders are placed: the
	 * SDK waits for a moment in which both have applied the same events.
	 */
	Agreement compare() {
		GenerationDiff diff = this.reconciliations.diff(OrderSummaryProjector.NAME, ACTOR, PATIENCE);
		ReconciliationResult.Answer answer = diff.result().answer();
		if (answer == null) {
			throw new IllegalStateException("No answer: " + diff.result().error());
		}
		return new Agreement(answer.position(), diff.tables().get(0).otherRows(), answer.differences(),
				answer.sample());
	}

}
