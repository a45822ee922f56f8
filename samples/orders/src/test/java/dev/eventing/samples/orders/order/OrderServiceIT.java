package dev.eventing.samples.orders.order;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.SchemaInitializer;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.Loaded;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OrderServiceIT {

	private static final TenantId ACME = TenantId.of("acme");

	private static final String ORDER = "order-000001";

	private static final int WRITERS = 4;

	private static final int CUPS_EACH = 25;

	private HikariDataSource dataSource;

	private EventStore store;

	private OrderService service;

	@BeforeEach
	void open() {
		this.dataSource = new HikariDataSource();
		this.dataSource.setJdbcUrl(TestServers.postgres().createDatabase());
		this.dataSource.setUsername("postgres");
		new SchemaInitializer(this.dataSource, EventingSchema.defaults(), SchemaMode.MIGRATE).initialize();
		this.store = new EventStore(this.dataSource, EventingSchema.defaults(), EventJson.mapper(), new AppendSignal(),
				StoreOptions.defaults(), Clock.systemUTC());
		this.service = new OrderService(this.store, new JdbcTransactionManager(this.dataSource));
	}

	@AfterEach
	void close() {
		this.dataSource.close();
	}

	@Test
	void losesNoCommandOfWritersThatAreInEachOthersWay() throws InterruptedException, ExecutionException {
		handle((order) -> order.create("customer-001", "EUR"));
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
		List<Future<?>> writers = new ArrayList<>();
		for (int writer = 0; writer < WRITERS; writer++) {
			writers.add(threads.submit(() -> {
				for (int cup = 0; cup < CUPS_EACH; cup++) {
					handle((order) -> order.addItem("SKU-CUP", 1, new BigDecimal("8.50")));
				}
			}));
		}
		for (Future<?> writer : writers) {
			writer.get();
		}
		threads.shutdown();
		Loaded<Order> order = load();
		assertThat(order.version()).isEqualTo(1 + WRITERS * CUPS_EACH);
		assertThat(order.state().lines().values()).singleElement()
			.satisfies((line) -> assertThat(line.quantity()).isEqualTo(WRITERS * CUPS_EACH));
		assertThat(this.service.conflicts()).isPositive();
	}

	@Test
	void appendsNothingWhenTheRulesForbidIt() {
		handle((order) -> order.create("customer-001", "EUR"));
		assertThatExceptionOfType(OrderRefusedException.class)
			.isThrownBy(() -> handle((order) -> order.authorizePayment("payment-1")));
		assertThat(load().version()).isEqualTo(1);
	}

	@Test
	void keepsOrdersOfTenantsApart() {
		handle((order) -> order.create("customer-001", "EUR"));
		this.service.handle(TenantId.of("globex"), ORDER,
				new OrderCommand(Instant.EPOCH, "somebody", (order) -> order.create("customer-002", "USD")));
		assertThat(load().state().currency()).isEqualTo("EUR");
	}

	private void handle(OrderCommand.Decision decision) {
		this.service.handle(ACME, ORDER, new OrderCommand(Instant.EPOCH, "somebody", decision));
	}

	private Loaded<Order> load() {
		return this.store.load(ACME, ORDER, OrderService.fold(ORDER));
	}

}
