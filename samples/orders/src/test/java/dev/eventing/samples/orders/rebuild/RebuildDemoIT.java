package dev.eventing.samples.orders.rebuild;

import java.util.List;
import java.util.Objects;

import dev.eventing.samples.orders.OrdersApplication;
import dev.eventing.samples.orders.projection.OrderSummaryProjector;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Rebuilds the read model of few orders once. */
class RebuildDemoIT {

	private static final int FIRST_ORDERS = 60;

	/** One of them is in a currency that the table refuses. */
	private static final int OLD_ROWS = FIRST_ORDERS - 1;

	/** Its own, because the stream has the same name in each run. */
	private static final NatsServer NATS = NatsServer.start();

	private static ConfigurableApplicationContext context;

	private static RebuildOutcome outcome;

	@BeforeAll
	static void run() throws Exception {
		String database = TestServers.postgres().createDatabase();
		try (ConfigurableApplicationContext first = start(database, "1", "rebuild")) {
			first.getBean(RebuildDemo.class).placeFirst();
		}
		context = start(database, "latest", "rebuild", "version-2");
		outcome = context.getBean(RebuildDemo.class).run();
	}

	private static ConfigurableApplicationContext start(String database, String migrations, String... profiles) {
		return new SpringApplicationBuilder(OrdersApplication.class).profiles(profiles)
			.run("--orders.count=" + FIRST_ORDERS, "--eventing.nats.servers=" + NATS.url(),
					"--spring.datasource.url=" + database, "--spring.flyway.target=" + migrations);
	}

	@AfterAll
	static void stop() {
		context.close();
		NATS.close();
	}

	@Test
	void endsWithBothReadModelsAsTheEventsSay() {
		assertThat(outcome.problems()).isEmpty();
		assertThat(outcome.isGood()).isTrue();
		assertThat(outcome.comparison().isEqual()).isTrue();
		assertThat(outcome.comparison().orderSummaries()).isGreaterThan(OLD_ROWS);
		assertThat(outcome.comparison().itemSales()).isPositive();
	}

	@Test
	void readersMissTheColumnOfVersion2UntilTheSwitchAndAfterTheRollback() {
		assertThatItIsOfVersion1(outcome.candidate().live());
		assertThat(outcome.switched().rows().empty()).isZero();
		assertThat(outcome.switched().differences()).isZero();
		assertThatItIsOfVersion1(outcome.rolledBack());
		assertThat(outcome.end().rows().empty()).isZero();
	}

	private static void assertThatItIsOfVersion1(View view) {
		assertThat(view.rows().all()).isGreaterThan(OLD_ROWS);
		assertThat(view.rows().empty()).isEqualTo(view.rows().all());
		assertThat(view.differences()).isBetween(view.before().empty(), view.rows().empty());
	}

	@Test
	void theNewGenerationHasTheColumnAndDiffersInNoOther() {
		assertThat(outcome.candidate().rows().all()).isGreaterThan(OLD_ROWS);
		assertThat(outcome.candidate().rows().empty()).isZero();
		Agreement agreement = outcome.candidate().agreement();
		assertThat(agreement.rows()).isGreaterThanOrEqualTo(OLD_ROWS);
		assertThat(agreement.different()).isEqualTo(agreement.rows());
		assertThat(agreement.sample()).hasSize(10)
			.allSatisfy((row) -> assertThat(row).contains("\"columns\": [\"created_at\"]"));
	}

	@Test
	void ordersArePlacedAtEachStage() {
		assertThat(List.of(outcome.candidate().live(), outcome.switched(), outcome.rolledBack(), outcome.end()))
			.extracting((view) -> view.rows().all())
			.isSorted()
			.doesNotHaveDuplicates();
	}

	@Test
	void leavesTheNewGenerationAloneAndLive() {
		assertThat(context.getBean(Projections.class).generations(OrderSummaryProjector.NAME))
			.extracting(ProjectionGeneration::generation, ProjectionGeneration::version, ProjectionGeneration::status)
			.containsExactly(tuple(2, 2, ProjectionGeneration.Status.LIVE),
					tuple(1, 1, ProjectionGeneration.Status.RETIRED));
		assertThat(context.getBean(JdbcTemplate.class)
			.queryForList("select schemaname from pg_tables where tablename = 'order_summary'", String.class))
			.containsExactly("public");
	}

	@Test
	void checksFindNothingUntilSomebodyChangesRowsOfBothReadModels() {
		assertThat(outcome.checks()).hasSize(3).allSatisfy((check) -> assertThat(differences(check)).isZero());
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		jdbc.update("update order_summary set total_amount = total_amount + 0.01 where order_id = 'order-000010'");
		jdbc.update("update order_item_sales_daily set qty_sold = qty_sold + 1 where sku = 'SKU-TEA'");
		try {
			assertThat(context.getBean(ReadModelAudit.class).checks()).filteredOn((check) -> differences(check) > 0)
				.extracting(ReconciliationResult::check)
				.containsExactlyInAnyOrder("order-summary", "order-item-sales-daily");
		}
		finally {
			jdbc.update("update order_summary set total_amount = total_amount - 0.01 where order_id = 'order-000010'");
			jdbc.update("update order_item_sales_daily set qty_sold = qty_sold - 1 where sku = 'SKU-TEA'");
		}
	}

	private static long differences(ReconciliationResult check) {
		assertThat(check.error()).isNull();
		return Objects.requireNonNull(check.answer()).differences();
	}

}
