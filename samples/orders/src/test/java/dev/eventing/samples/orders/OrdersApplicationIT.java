package dev.eventing.samples.orders;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.eventing.samples.orders.check.Comparison;
import dev.eventing.samples.orders.check.ReadModelChecks;
import dev.eventing.samples.orders.check.StoredOrders;
import dev.eventing.samples.orders.demo.Demo;
import dev.eventing.samples.orders.demo.Outcome;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.projection.ReadModels;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Runs the whole sample once, on few orders. */
class OrdersApplicationIT {

	private static final int ORDERS = 120;

	private static ConfigurableApplicationContext context;

	private static Outcome outcome;

	@BeforeAll
	static void run() throws InterruptedException {
		context = new SpringApplicationBuilder(OrdersApplication.class).run("--orders.count=" + ORDERS,
				"--eventing.nats.servers=" + TestServers.nats().url(),
				"--spring.datasource.url=" + TestServers.postgres().createDatabase());
		outcome = context.getBean(Demo.class).run();
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@Test
	void fillsBothReadModelsAsTheEventsSay() {
		assertThat(outcome.problems()).isEmpty();
		assertThat(outcome.comparison().orderSummaries()).isEqualTo(ORDERS - 1);
		assertThat(outcome.comparison().itemSales()).isPositive();
	}

	@Test
	void refusesWhatTheRulesForbidAndNothingElse() {
		OrderGenerator generator = context.getBean(OrderGenerator.class);
		long paidTwice = IntStream.rangeClosed(1, ORDERS)
			.mapToObj(generator::order)
			.flatMap((script) -> script.steps().stream())
			.filter((step) -> step.size() == 2 && step.get(0).equals(step.get(1)))
			.count();
		assertThat(paidTwice).isPositive();
		assertThat(outcome.commands().refused()).isEqualTo(paidTwice);
	}

	@Test
	void findsNothingByTheChecksOfBothReadModels() {
		assertThat(outcome.checks().end()).hasSize(3).allSatisfy((result) -> {
			assertThat(result.error()).isNull();
			assertThat(result.hasDifferences()).isFalse();
		});
		assertThat(outcome.checks().meanwhile()).noneMatch(ReconciliationResult::hasDifferences);
	}

	@Test
	void publishesAllThatWasAppended() {
		long head = context.getBean(StoredOrders.class).head();
		assertThat(outcome.events()).isPositive();
		await()
			.untilAsserted(() -> assertThat(context.getBean(Relays.class).status("orders").position()).isEqualTo(head));
	}

	@Test
	void skipsWhatWasPublishedTwice() {
		assertThat(outcome.copies()).isPositive();
		assertThat(outcome.work().get(0).counts().duplicates()).isGreaterThanOrEqualTo(outcome.copies());
	}

	@Test
	void processesEveryEventOnceButThoseOfThePoisonOrder() {
		assertThat(outcome.work().get(0).counts().processed()).isEqualTo(outcome.events() - poisonOrder().size());
		assertThat(outcome.work().get(1).counts().processed()).isEqualTo(outcome.work().get(1).events());
	}

	@Test
	void makesADeadLetterOfThePoisonAfterThreeAttempts() {
		assertThat(outcome.deadLetters()).first().satisfies((letter) -> {
			assertThat(letter.projector()).isEqualTo("order-summary");
			assertThat(letter.tenantId()).hasToString("initech");
			assertThat(letter.eventType()).isEqualTo("order.created");
			assertThat(letter.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(letter.attempts()).isEqualTo(3);
			assertThat(error(letter)).contains("order_summary_currency");
		});
	}

	@Test
	void parksTheLaterEventsOfThePoisonOrderInTheirOrder() {
		assertThat(poisonOrder()).hasSizeGreaterThan(2);
		assertThat(outcome.deadLetters()).extracting(DeadLetter::eventId).isEqualTo(poisonOrder());
		assertThat(outcome.deadLetters().stream().skip(1)).extracting(DeadLetter::reason).containsOnly("BEHIND");
		assertThat(outcome.work().get(0).counts().parked()).isEqualTo(poisonOrder().size() - 1);
	}

	/** The ids of all its events, in their order. */
	private static List<UUID> poisonOrder() {
		return context.getBean(JdbcTemplate.class)
			.queryForList(
					"""
							select event_id from eventing.events e
							 where (tenant_id, stream_id) in (select tenant_id, stream_id from eventing.events
							                                   where event_type = 'order.created' and payload ->> 'currency' = 'XTS')
							 order by stream_version""",
					UUID.class);
	}

	@Test
	void countsThePoisonOrderWhereItIsNone() {
		assertThat(outcome.itemSales()).anySatisfy((row) -> assertThat(row.currency()).isEqualTo("XTS"));
		assertThat(outcome.orderSummaries()).noneSatisfy((row) -> assertThat(row.currency()).isEqualTo("XTS"));
	}

	@Test
	void wouldNoticeARowThatWasChanged() {
		ReadModels readModels = context.getBean(ReadModels.class);
		StoredOrders stored = context.getBean(StoredOrders.class);
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
			status.setRollbackOnly();
			jdbc.update("update order_summary set total_amount = total_amount + 0.01 where order_id = 'order-000010'");
			jdbc.update("update order_item_sales_daily set qty_sold = qty_sold + 1 where sku = 'SKU-TEA'");
			Comparison now = Comparison.of(stored.expected(), readModels.orderSummaries(), readModels.itemSales());
			assertThat(now.differences()).filteredOn((difference) -> difference.startsWith("order_summary")).hasSize(3);
			assertThat(now.differences()).hasSizeGreaterThan(3);
		});
	}

	@Test
	void findsARowThatWasChanged() {
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		String change = "update order_item_sales_daily set qty_sold = qty_sold + ? where sku = 'SKU-TEA'";
		int changed = jdbc.update(change, 1);
		try {
			assertThat(differences("order-item-sales-daily")).isEqualTo(changed).isPositive();
		}
		finally {
			jdbc.update(change, -1);
		}
		assertThat(differences("order-item-sales-daily")).isZero();
		assertThat(differences(ReadModelChecks.ORDER_SUMMARY)).isZero();
	}

	private static long differences(String check) {
		ReconciliationResult result = context.getBean(Reconciliations.class).run(check, "test");
		assertThat(result.error()).isNull();
		return Objects.requireNonNull(result.answer()).differences();
	}

	private static String error(DeadLetter letter) {
		return String.valueOf((letter.failure() != null) ? letter.failure().message() : null);
	}

}
