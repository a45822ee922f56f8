package dev.eventing.samples.orders.projection;

import java.time.ZoneOffset;

import dev.eventing.samples.orders.event.OrderCreated;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Version 1 of the read model, from before the table had the column {@code created_at}.
 * It feeds the generation that began with it, for as long as that is wanted.
 */
@Component
@Profile("rebuild")
@Projector(value = OrderSummaryProjector.NAME, tables = "order_summary")
class OrderSummaryVersion1 extends OrderSummaryProjector {

	private final JdbcClient jdbc;

	OrderSummaryVersion1(JdbcClient jdbc) {
		super(jdbc);
		this.jdbc = jdbc;
	}

	@Override
	@ProjectorEventHandler(subject = "{tenant}.order.created")
	void created(Event<OrderCreated> event) {
		this.jdbc.sql("""
				insert into order_summary (tenant_id, order_id, customer_id, status, currency, total_amount, item_count,
				                           updated_at)
				values (:tenant, :order, :customer, 'CREATED', :currency, 0, 0, :time)
				""")
			.param("tenant", event.tenantId().value())
			.param("order", event.payload().orderId())
			.param("customer", event.payload().customerId())
			.param("currency", event.payload().currency())
			.param("time", event.time().atOffset(ZoneOffset.UTC))
			.update();
	}

}
