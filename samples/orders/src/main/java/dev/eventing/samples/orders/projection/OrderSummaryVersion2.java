package dev.eventing.samples.orders.projection;

import dev.eventing.sdk.annotation.Projector;

import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Version 2 of the read model, which fills the column {@code created_at}. It feeds the
 * generation that is built beside that of version 1.
 */
@Component
@Profile("version-2")
@Projector(value = OrderSummaryProjector.NAME, version = 2, tables = "order_summary")
class OrderSummaryVersion2 extends OrderSummaryProjector {

	OrderSummaryVersion2(JdbcClient jdbc) {
		super(jdbc);
	}

}
