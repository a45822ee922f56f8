package dev.eventing.samples.quickstart;

import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Adds what was shipped to the day's sales. */
@Component
class DailySalesProjector {

	private final JdbcClient jdbc;

	DailySalesProjector(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	@ProjectorEventHandler(projectorName = "daily-sales", subject = "{tenant}.order.shipped")
	void shipped(OrderShipped shipped, UUID eventId, String tenantId) {
		this.jdbc.sql("""
				insert into daily_sales (tenant_id, day, item, quantity) values (?, ?, ?, ?)
				on conflict (tenant_id, day, item) do update set quantity = daily_sales.quantity + excluded.quantity
				""").params(tenantId, shipped.day(), shipped.item(), shipped.quantity()).update();
	}

}
