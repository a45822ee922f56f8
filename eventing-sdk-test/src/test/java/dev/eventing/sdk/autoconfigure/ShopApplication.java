package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

/**
 * An application with a projector of each kind, a live view and a web server, which
 * appends three events when it starts.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ShopApplication {

	/** The handler of sales refuses what is shipped of it. */
	static final String REFUSED = "coffee";

	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

	@Bean
	Sales sales(JdbcTemplate jdbc) {
		return new Sales(jdbc);
	}

	@Bean
	History history(JdbcTemplate jdbc) {
		return new History(jdbc);
	}

	@Bean
	Shipments shipments() {
		return new Shipments();
	}

	@Bean
	CommandLineRunner append(EventStore store, TransactionOperations transaction, @Value("${root}") String root) {
		List<NewEvent> events = List.of(NewEvent.of(new Shipped("tea", 2)), NewEvent.of(new Shipped(REFUSED, 1)),
				NewEvent.of(new Cancelled("tea")));
		return (args) -> transaction.executeWithoutResult(
				(status) -> store.append(TenantId.of("acme"), root + "-1", ExpectedVersion.any(), events));
	}

	/** Fed by JetStream, with a key that an expression reads from the payload. */
	static class Sales {

		private final JdbcTemplate jdbc;

		Sales(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@ProjectorEventHandler(projectorName = "sales", subject = "${root}.{tenant}.shipped", key = "payload.item",
				maxDeliver = 1)
		void on(Shipped event, UUID eventId, String tenantId) {
			if (event.item().equals(REFUSED)) {
				throw new IllegalArgumentException("refused by the test");
			}
			this.jdbc.update("insert into sales values (?, ?, ?)", tenantId, event.item(), event.quantity());
		}

	}

	/** Fed by the event store, with batches of a sealed type. */
	static class History {

		private final JdbcTemplate jdbc;

		History(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@ProjectorEventHandler(projectorName = "history", subject = "${root}.{tenant}.{type}",
				source = Source.EVENT_STORE)
		void changed(List<Event<Change>> events) {
			events.forEach((event) -> this.jdbc.update("insert into history values (?)", event.payload().toString()));
		}

	}

	/** How much was shipped of each item. */
	@LiveView(value = "shipments", subject = "${root}.{tenant}.shipped")
	static class Shipments {

		Amount initial() {
			return new Amount(0);
		}

		String key(Shipped event) {
			return event.item();
		}

		Amount apply(Amount state, Shipped event) {
			return new Amount(state.quantity() + event.quantity());
		}

	}

	sealed interface Change permits Shipped, Cancelled {

	}

	@EventType("shipped")
	record Shipped(String item, int quantity) implements Change {

	}

	@EventType("cancelled")
	record Cancelled(String item) implements Change {

	}

	record Amount(int quantity) {

	}

}
