package dev.eventing.sdk.guarantees;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** G11: a separate schema for the read model of a projector that reads JetStream. */
class G11StreamAdoptIT {

	@AutoClose
	private final World world = World.create();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@BeforeEach
	void lookInTheSchemaFirst() {
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set search_path = ledger, public', "
					+ "current_database()); end $$");
		((HikariDataSource) this.world.jdbc().getDataSource()).getHikariPoolMXBean().softEvictConnections();
	}

	@Test
	void movesTheTablesThenBuildsSwitchesAndRollsBackWhileEventsArePublished() throws InterruptedException {
		this.rebuilds.publishAll(1, 10);
		AtomicLong version = new AtomicLong(10);
		CountDownLatch over = new CountDownLatch(1);
		Thread writer = new Thread(() -> publishUntil(over, version));
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 10);
			String durable = this.rebuilds.durable();
			writer.start();
			try {
				adopt();
				await().until(() -> this.rebuilds.status() == Status.DONE);
				assertThat(this.rebuilds.detail())
					.startsWith("The live tables lie in the schema ledger now, not in public.");
				awaitMoving(version);
				this.rebuilds.build();
				this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.READY);
				this.rebuilds.switchTo(2);
				assertThat(this.rebuilds.detail()).contains("Their schemas changed names");
				awaitMoving(version);
				this.rebuilds.switchTo(1);
				assertThat(this.rebuilds.detail()).contains("Their schemas changed names");
				awaitMoving(version);
			}
			finally {
				over.countDown();
				writer.join();
			}
			this.rebuilds.awaitVersions("ledger", version.get());
			this.rebuilds.awaitVersions("accounts_g2", version.get());
			this.rebuilds.assertThatTheReadModelIsExact("ledger", version.get());
			this.rebuilds.assertThatTheReadModelIsExact("accounts_g2", version.get());
			this.rebuilds.retire(2);
			assertThat(this.rebuilds.durable()).as("it belongs to the live generation").isEqualTo(durable);
			this.rebuilds.assertThatNothingIsLeft();
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void refusesAProjectorForWhoseEventsNodesCompete() {
		this.world.publish(World.ACME, "a0", 1, 1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new Competing())) {
			await().until(() -> this.world.version(World.ACME, "a0") == 1);
			adopt();
			this.rebuilds.awaitRefused("nodes compete for its events");
			assertThat(application.isActive()).isTrue();
		}
	}

	private void adopt() {
		this.rebuilds.operators.adopt(Accounts.PROJECTOR, "ledger", "anna", "shorter switches", Patience.LONG);
	}

	/** The read model follows what is published. */
	private void awaitMoving(AtomicLong version) {
		long now = version.get();
		await().until(() -> this.world.version(World.ACME, "a6") > now);
	}

	/** At a rate at which both generations keep up. */
	private void publishUntil(CountDownLatch over, AtomicLong version) {
		try {
			while (!over.await(20, TimeUnit.MILLISECONDS)) {
				this.rebuilds.publishAll(version.get() + 1, version.get() + 1);
				version.incrementAndGet();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Competing {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", ordering = Ordering.NONE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
