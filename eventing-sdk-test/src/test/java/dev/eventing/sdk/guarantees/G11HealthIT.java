package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: health shows the generation beside the live one, and what keeps this node from
 * feeding it. Readers of the live one notice nothing, so its status is theirs.
 */
@ExtendWith(OutputCaptureExtension.class)
class G11HealthIT {

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void showsTheGenerationBesideAndWhyItFailed() {
		this.world.jdbc()
			.execute("create table per_tenant (tenant_id text primary key, events bigint not null default 0)");
		this.world.append(World.ACME, "a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new G11BuildBesideIT.Forgetful())) {
			await().until(() -> this.world.count("select count(*) from per_tenant where events = 3") == 1);
			assertThat(beside(application)).isNull();
			build();
			await().untilAsserted(() -> assertThat(beside(application)).containsEntry("number", 2)
				.containsEntry("status", ProjectionGeneration.Status.FAILED)
				.hasEntrySatisfying("failure", (why) -> assertThat(String.valueOf(why)).contains("public.per_tenant")));
			await().until(() -> StruckThreads.health(application).getStatus().equals(Status.UP));
			this.operators.retire(Accounts.PROJECTOR, 2, "anna", "a test", Patience.LONG);
			await().until(() -> beside(application) == null);
		}
	}

	@Test
	void saysOnceWhyANodeCannotFeedAGenerationAndFeedsItLater(CapturedOutput output) {
		this.world.append(World.ACME, "a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new BesideSetup.Stored())) {
			Lease taken = application.getBean(Leases.class).tryAcquire("projector/accounts#2");
			await().until(() -> this.world.version(World.ACME, "a1") == 3);
			build();
			await().untilAsserted(() -> {
				assertThat(String.valueOf(detail(application, "generations")))
					.startsWith("accounts: IllegalStateException: Lease 'projector/accounts#2' is held");
				assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.UP);
				assertThat(beside(application)).containsEntry("status", ProjectionGeneration.Status.BUILDING)
					.doesNotContainKey("state");
			});
			Steady.holds(Duration.ofSeconds(3), () -> detail(application, "generations") != null);
			taken.release();
			await().untilAsserted(
					() -> assertThat(beside(application)).containsEntry("status", ProjectionGeneration.Status.READY)
						.containsEntry("state", "RUNNING"));
			await().until(() -> detail(application, "generations") == null);
			assertThat(StringUtils.countOccurrencesOf(output.getOut(),
					"The generations of the read model of projector 'accounts' are not kept now"))
				.isEqualTo(1);
			await().until(() -> output.getOut()
				.contains("The generations of the read model of projector 'accounts' are kept again."));
		}
	}

	@Test
	void saysOnceWhyAGenerationCannotBeDroppedYet(CapturedOutput output) throws SQLException {
		this.world.append(World.ACME, "a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new BesideSetup.Stored())) {
			await().until(() -> this.world.version(World.ACME, "a1") == 3);
			build();
			await().untilAsserted(
					() -> assertThat(beside(application)).containsEntry("status", ProjectionGeneration.Status.READY));
			try (Connection reader = this.world.jdbc().getDataSource().getConnection()) {
				reader.setAutoCommit(false);
				reader.createStatement().execute("lock table accounts_g2.account in access share mode");
				this.operators.retire(Accounts.PROJECTOR, 2, "anna", "a test", Patience.LONG);
				await().until(() -> notDone(output) > 0);
				Steady.holds(Duration.ofSeconds(9), () -> notDone(output) == 1);
				reader.rollback();
			}
			await().until(() -> beside(application) == null);
		}
	}

	private static int notDone(CapturedOutput output) {
		return StringUtils.countOccurrencesOf(output.getOut(),
				"A request for the read model of projector 'accounts' is not done. The tables cannot be");
	}

	@Test
	void saysOnceThatDecisionsOfOperatorsCannotBeLookedUp(CapturedOutput output) {
		try (AnnotationConfigApplicationContext application = start(new BesideSetup.Stored())) {
			this.world.jdbc().execute("alter table eventing.projection_requests rename to moved");
			await().until(() -> output.getOut().contains("What operators decide about projectors cannot be looked up"));
			Steady.holds(Duration.ofSeconds(3), () -> StringUtils.countOccurrencesOf(output.getOut(),
					"What operators decide about projectors cannot be looked up") == 1);
			this.world.jdbc().execute("alter table eventing.moved rename to projection_requests");
			await().until(
					() -> output.getOut().contains("What operators decide about projectors can be looked up again."));
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	private AnnotationConfigApplicationContext start(Object accounts) {
		return this.world.start(WorldApplication.of(accounts).lease(Duration.ofSeconds(2)));
	}

	private void build() {
		this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", "a test", Patience.LONG);
	}

	private static Object detail(AnnotationConfigApplicationContext application, String name) {
		return StruckThreads.health(application).getDetails().get(name);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> beside(AnnotationConfigApplicationContext application) {
		Map<String, Map<String, Object>> projectors = (Map<String, Map<String, Object>>) detail(application,
				"projectors");
		return (Map<String, Object>) projectors.get(Accounts.PROJECTOR).get("generation");
	}

}
