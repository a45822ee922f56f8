package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: whatever kind of handler a projector has builds a generation. */
class G11BuildHandlersIT {

	private static final int ACCOUNTS = 5;

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table balance (account text primary key, total bigint not null)");
	}

	/** Hibernate writes at its flush, after the handler. */
	@Test
	void buildsByHibernate() {
		appendAll(1, 20);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Entities()).customize(JpaProjectorIT::throughJpa))) {
			buildsBeside();
		}
	}

	@Test
	void buildsByAHandlerOfBatches() {
		appendAll(1, 20);
		Batches batches = new Batches();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(batches))) {
			buildsBeside();
			assertThat(batches.largest).hasValueGreaterThan(1);
		}
	}

	private void buildsBeside() {
		awaitTotals("public", 20);
		this.world.jdbc().update("update balance set total = -1");
		this.operators.rebuildBeside("balances", "anna", "a test", Patience.LONG);
		awaitStatus(ProjectionGeneration.Status.READY);
		awaitTotals("balances_g2", 20);
		assertThat(this.world.jdbc().queryForList("select distinct total from balance", Long.class))
			.containsExactly(-1L);
		appendAll(21, 25);
		awaitTotals("balances_g2", 25);
		await().until(() -> this.world.jdbc()
			.queryForList("select distinct total from balance", Long.class)
			.equals(List.of(total(25) - total(20) - 1)));
	}

	/** More than a thousand letters are no read model that one would switch to. */
	@Test
	void failsWithMoreThanAThousandDeadLetters() {
		Batches batches = new Batches();
		for (int account = 0; account <= 1000; account++) {
			this.world.append(World.ACME, "b" + account, 1, 1);
		}
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(batches))) {
			await().until(() -> this.world.count("select count(*) from balance") == 1001);
			batches.refusesBeside = true;
			this.operators.rebuildBeside("balances", "anna", "a test", Patience.LONG);
			// each of a thousand letters takes several transactions
			await().atMost(Duration.ofMinutes(5)).until(() -> status() == ProjectionGeneration.Status.FAILED);
			assertThat(this.operators.generations("balances").get(0).failure())
				.isEqualTo("More than 1000 of its events became dead letters.");
			assertThat(this.world.count("select count(*) from eventing.dead_letters where projector_name = 'balances'"))
				.isZero();
			assertThat(this.world.count("select count(*) from balance")).isEqualTo(1001);
			this.world.append(World.ACME, "b0", 2, 2);
			await().until(() -> this.world.count("select total from balance where account = 'b0'") == 3);
		}
	}

	private void appendAll(long from, long to) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "a" + account, from, to);
		}
	}

	private void awaitTotals(String schema, long version) {
		await().ignoreExceptions()
			.until(() -> this.world
				.count("select count(*) from " + schema + ".balance where total = " + total(version)) == ACCOUNTS);
	}

	private static long total(long version) {
		return version * (version + 1) / 2;
	}

	private void awaitStatus(ProjectionGeneration.Status status) {
		await().until(() -> status() == status);
	}

	/** The status of the generation beside the live one; null if there is none. */
	private ProjectionGeneration.Status status() {
		return this.operators.generations("balances")
			.stream()
			.filter((each) -> each.generation() == 2)
			.map(ProjectionGeneration::status)
			.findFirst()
			.orElse(null);
	}

	/** A read model of entities. */
	@Projector(value = "balances", tables = "balance")
	static class Entities extends JpaProjectorIT.Balances {

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(List<Event<Deposited>> events) {
			super.on(events);
		}

	}

	/** A read model of rows, in batches. */
	@Projector(value = "balances", tables = "balance")
	static class Batches {

		final AtomicInteger largest = new AtomicInteger();

		volatile boolean refusesBeside;

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE,
				noRetryFor = IllegalArgumentException.class)
		public void on(List<Event<Deposited>> events) {
			this.largest.accumulateAndGet(events.size(), Math::max);
			boolean isBeside = !"public".equals(this.jdbc.queryForObject("select current_schema()", String.class));
			if (isBeside && this.refusesBeside) {
				throw new IllegalArgumentException("refused by the test");
			}
			for (Event<Deposited> event : events) {
				this.jdbc.update("""
						insert into balance as b values (?, ?)
						on conflict (account) do update set total = b.total + excluded.total""",
						event.payload().account(), event.payload().amount());
			}
		}

	}

}
