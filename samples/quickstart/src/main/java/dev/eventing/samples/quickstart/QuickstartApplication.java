package dev.eventing.samples.quickstart;

import java.time.LocalDate;
import java.util.Map;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.EventPublisher;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Publishes one event twice and shows that it is applied once. */
@SpringBootApplication
public class QuickstartApplication {

	public static void main(String[] args) {
		System.exit(SpringApplication.exit(SpringApplication.run(QuickstartApplication.class, args)));
	}

	@Bean
	CommandLineRunner publishTwice(EventPublisher publisher, ProjectorRegistry projectors, JdbcClient jdbc) {
		return (args) -> {
			OrderShipped shipped = new OrderShipped(LocalDate.of(2026, 11, 23), "tea", 2);
			Event<OrderShipped> event = Event.builder(TenantId.of("acme"), shipped).build();
			publisher.publish("{tenant}.order.shipped", event);
			Map<String, Object> row = row(jdbc, projectors, 1);
			Thread.sleep(500); // longer than the duplicate window of the stream
			publisher.publish("{tenant}.order.shipped", event);
			if (!row.equals(row(jdbc, projectors, 2))) {
				throw new IllegalStateException("The second publish changed the row.");
			}
		};
	}

	/** Shows the row as it is after this many deliveries. */
	private static Map<String, Object> row(JdbcClient jdbc, ProjectorRegistry projectors, int deliveries)
			throws InterruptedException {
		ProjectorCounts counts = projectors.status("daily-sales").counts();
		for (int i = 0; counts.processed() + counts.duplicates() < deliveries; i++) {
			if (i == 1000) {
				throw new IllegalStateException("Delivery " + deliveries + " is not handled after 10 s: " + counts);
			}
			Thread.sleep(10);
			counts = projectors.status("daily-sales").counts();
		}
		Map<String, Object> row = jdbc.sql("select * from daily_sales").query().singleRow();
		System.out.printf("delivery %d: processed %d, duplicates %d, row %s%n", deliveries, counts.processed(),
				counts.duplicates(), row);
		return row;
	}

}
