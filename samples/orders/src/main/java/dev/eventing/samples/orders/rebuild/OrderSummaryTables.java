package dev.eventing.samples.orders.rebuild;

import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Projectors;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The table {@code order_summary} that readers see, and that of the generation beside it.
 */
@Component
@Profile("rebuild")
class OrderSummaryTables {

	private final JdbcClient jdbc;

	private final Projectors projectors;

	OrderSummaryTables(JdbcClient jdbc, Projectors projectors) {
		this.jdbc = jdbc;
		this.projectors = projectors;
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
	 * Compares the live table with that of a generation beside it, while orders are
	 * placed. Each may be ahead of the other, so orders that have an event which one of
	 * them may not have applied yet are left out.
	 */
	Agreement compare(String schema) {
		long position = appliedByBoth();
		return this.jdbc.sql("""
				select count(*) filter (where to_jsonb(live) - 'created_at' = to_jsonb(beside) - 'created_at') as equal,
				       count(*) as total
				  from order_summary live
				  full join %s.order_summary beside using (tenant_id, order_id)
				 where not exists (select from eventing.events e
				                    where e.tenant_id = coalesce(live.tenant_id, beside.tenant_id)
				                      and e.stream_id = coalesce(live.order_id, beside.order_id)
				                      and e.global_position > :position)
				""".formatted(schema)).param("position", position).query((row, number) -> {
			long equal = row.getLong("equal");
			return new Agreement(position, equal, row.getLong("total") - equal);
		}).single();
	}

	/** The position up to which both generations have applied all events. */
	private long appliedByBoth() {
		return this.projectors.list()
			.stream()
			.filter((each) -> each.name().equals(OrderSummaryProjector.NAME))
			.map(ProjectorOverview::position)
			.mapToLong((position) -> (position != null) ? position : 0)
			.min()
			.orElse(0);
	}

}
