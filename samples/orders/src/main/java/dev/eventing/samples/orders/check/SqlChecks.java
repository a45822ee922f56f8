package dev.eventing.samples.orders.check;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Reconciliation as it can be run beside a system at work: queries that compare the read
 * models with the events they came from. Each finds what must not be; a currency that
 * {@code order_summary} refuses is the one exception.
 */
@Component
public class SqlChecks {

	private static final List<Check> CHECKS = List.of(new Check("orders whose total is not what their items say", """
			with deltas as (
			  select tenant_id, stream_id,
			         sum((payload ->> 'quantity')::int * sign) as items,
			         sum((payload ->> 'quantity')::int * (payload ->> 'unitPrice')::numeric * sign) as amount
			    from eventing.events
			    join (values ('order.item-added', 1), ('order.item-removed', -1)) as types (event_type, sign)
			         using (event_type)
			   group by tenant_id, stream_id)
			select count(*) from order_summary s join deltas d on d.tenant_id = s.tenant_id and d.stream_id = s.order_id
			 where s.total_amount <> d.amount or s.item_count <> d.items"""),
			new Check("orders in a state that cannot be", """
					select count(*) from order_summary
					 where status = 'SHIPPED' and (shipped_at is null or paid_at is null)
					    or paid_at is not null and submitted_at is null
					    or submitted_at > paid_at or paid_at > shipped_at"""),
			new Check("orders whose events are not numbered from 1 without a gap", """
					select count(*) from (
					  select e.tenant_id, e.stream_id
					    from eventing.events e join eventing.streams s using (tenant_id, stream_id)
					   group by e.tenant_id, e.stream_id, s.version
					  having count(*) <> max(e.stream_version) or max(e.stream_version) <> s.version) as gaps"""),
			new Check("days on which something else was sold than was shipped",
					"""
							with shipped as (
							  select e.tenant_id, (e.payload ->> 'shippedOn')::date as day, line ->> 'sku' as sku,
							         e.payload ->> 'currency' as currency, sum((line ->> 'quantity')::int) as quantity,
							         sum((line ->> 'quantity')::int * (line ->> 'unitPrice')::numeric) as amount
							    from eventing.events e, jsonb_array_elements(e.payload -> 'lines') as line
							   where e.event_type = 'order.shipped'
							   group by 1, 2, 3, 4)
							select count(*) from shipped s full join order_item_sales_daily d using (tenant_id, day, sku, currency)
							 where s.quantity is distinct from d.qty_sold or s.amount is distinct from d.gross_amount"""));

	private final JdbcClient jdbc;

	SqlChecks(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/** Runs all of them. */
	public List<Finding> run() {
		return CHECKS.stream()
			.map((check) -> new Finding(check.what(), this.jdbc.sql(check.sql()).query(Long.class).single()))
			.toList();
	}

	private record Check(String what, String sql) {
	}

	/**
	 * What a query found.
	 *
	 * @param what what it looks for
	 * @param rows how often it found that: 0 if all is well
	 */
	public record Finding(String what, long rows) {
	}

}
