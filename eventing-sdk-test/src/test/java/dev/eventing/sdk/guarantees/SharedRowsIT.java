package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Handlers whose events change rows that many keys share, in whatever order. */
class SharedRowsIT {

	private static final int LANES = 4;

	private static final ProjectorSettings FOUR_LANES = ProjectorSettings.builder()
		.maxDeliver(1)
		.batchSize(20)
		.concurrency(LANES)
		.build();

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table total (name text primary key, amount bigint not null)");
		this.world.jdbc().execute("insert into total values ('x', 0), ('y', 0)");
	}

	/** PostgreSQL takes a second to find a deadlock. */
	@Test
	void lanesTakeTurnsOnceTheyDeadlocked() {
		for (int account = 0; account < 1_000; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Totals()).with(FOUR_LANES))) {
			await().until(() -> this.world.count("select count(*) from eventing.processed_events") == 1_000);
			assertThat(World.status(application, Totals.PROJECTOR).counts().deadLetters()).isZero();
		}
		assertThat(this.world.count("select count(*) from total where amount = 1000")).isEqualTo(2);
		// each lane that was under way at the first one may be part of one more
		await().until(this::deadlocks, (deadlocks) -> deadlocks > 0);
		assertThat(deadlocks()).isBetween(1L, (long) LANES);
	}

	private long deadlocks() {
		return this.world.count("select deadlocks from pg_stat_database where datname = current_database()");
	}

	/** Adds to two rows, every other event in the opposite order. */
	static class Totals {

		static final String PROJECTOR = "totals";

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR)
		public void on(Deposited event) {
			boolean upwards = event.account().hashCode() % 2 == 0;
			for (String name : upwards ? List.of("x", "y") : List.of("y", "x")) {
				this.jdbc.update("update total set amount = amount + ? where name = ?", event.amount(), name);
			}
		}

	}

}
