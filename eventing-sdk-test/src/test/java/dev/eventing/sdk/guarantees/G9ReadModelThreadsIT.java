package dev.eventing.sdk.guarantees;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.observability.ReconciliationHealthIndicator;
import dev.eventing.sdk.projection.CheckSchedule;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G9: each kind of thread that cares for read models is struck by what used to end
 * threads. It continues, and health shows it until then. Readers of the live read model
 * notice nothing, so its status is theirs.
 */
@Tag("crash")
class G9ReadModelThreadsIT extends StruckThreads {

	private static final String STRUCK = "NoClassDefFoundError: of the test";

	private static final String KEEPER = "eventing-generations";

	private static final String CHECKS = "eventing-reconciliations";

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Nested
	class OfGenerations {

		@ParameterizedTest
		@ValueSource(strings = { KEEPER, "accounts#2-intake", "accounts#2-lane-0" })
		void goesOnAfterAnError(String thread) {
			G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 1, 3);
			for (int account = 0; account < 40; account++) { // so that each lane has work
				G9ReadModelThreadsIT.this.world.append(World.ACME, "b" + account, 1, 1);
			}
			FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(thread, 2,
					new NoClassDefFoundError("of the test"));
			try (AnnotationConfigApplicationContext application = generations()) {
				build();
				await().until(() -> fault.left().get() == 0);
				awaitReady();
				G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 4, 6);
				awaitBoth(6);
				awaitRunning(application);
				await()
					.untilAsserted(() -> assertThat(health(application).getDetails()).doesNotContainKey("generations"));
			}
		}

		@Test
		void thatFeedsAGenerationShowsThatItIsStruckAgainAndAgainAndLeavesTheLiveOneAlone() {
			String thread = "accounts#2-intake";
			G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 1, 3);
			try (AnnotationConfigApplicationContext application = generations()) {
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				build();
				awaitRestarting(application, thread);
				G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 4, 6);
				awaitVersion("a", 6);
				fault.left().set(0);
				awaitReady();
				awaitBoth(6);
				awaitRunning(application);
			}
		}

		@Test
		void thatOwnsAGenerationShowsThatItIsStruckAgainAndAgainAndTakesOverLater() {
			String thread = "accounts#2-owner";
			G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 1, 3);
			AnnotationConfigApplicationContext first = G9ReadModelThreadsIT.this.world
				.start(WorldApplication.of(new BesideSetup.Stored()).lease(Duration.ofSeconds(2)));
			build();
			awaitReady();
			try (AnnotationConfigApplicationContext second = generations()) {
				await().untilAsserted(() -> assertThat(beside(second)).containsEntry("state", "STANDBY"));
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(thread, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				awaitRestarting(second, thread);
				fault.left().set(0);
				first.close();
				G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 4, 6);
				awaitBoth(6);
				awaitRunning(second);
			}
			finally {
				first.close();
			}
		}

		@Test
		void thatKeepsThemGoesOnAfterAnInterrupt() {
			try (AnnotationConfigApplicationContext application = generations()) {
				build();
				awaitReady();
				threads(KEEPER).forEach(Thread::interrupt);
				G9ReadModelThreadsIT.this.world.append(World.ACME, "a", 1, 3);
				awaitBoth(3);
				awaitRunning(application);
				G9ReadModelThreadsIT.this.operators.retire(Accounts.PROJECTOR, 2, "anna", "a test",
						Duration.ofMinutes(1));
				await().until(() -> G9ReadModelThreadsIT.this.world
					.count("select count(*) from pg_namespace where nspname = 'accounts_g2'") == 0);
			}
		}

		@Test
		void thatKeepsThemShowsThatItIsStruckAgainAndAgain() {
			try (AnnotationConfigApplicationContext application = generations()) {
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(KEEPER, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				build();
				await().untilAsserted(() -> assertThat(health(application).getDetails()).extractingByKey("generations")
					.asString()
					.contains(STRUCK));
				assertThat(health(application).getStatus()).isEqualTo(Status.UP);
				fault.left().set(0);
				awaitReady();
				await()
					.untilAsserted(() -> assertThat(health(application).getDetails()).doesNotContainKey("generations"));
			}
		}

		/** The live one is not concerned. */
		private static void awaitRestarting(AnnotationConfigApplicationContext application, String thread) {
			await().untilAsserted(() -> assertThat(beside(application))
				.containsEntry("state", ProjectorState.RESTARTING.name())
				.hasEntrySatisfying("detail", (why) -> assertThat(String.valueOf(why)).contains(thread, STRUCK)));
			assertThat(health(application).getStatus()).isEqualTo(Status.UP);
		}

		private static void awaitRunning(AnnotationConfigApplicationContext application) {
			await().untilAsserted(() -> assertThat(beside(application)).containsEntry("state", "RUNNING"));
		}

		private AnnotationConfigApplicationContext generations() {
			return G9ReadModelThreadsIT.this.world
				.start(application(new BesideSetup.Stored()).lease(Duration.ofSeconds(2)));
		}

		private void build() {
			await("it is known").ignoreExceptionsInstanceOf(UnknownNameException.class).until(() -> {
				G9ReadModelThreadsIT.this.operators.rebuildBeside(Accounts.PROJECTOR, "anna", "a test", Patience.LONG);
				return true;
			});
		}

		private void awaitReady() {
			await().until(() -> G9ReadModelThreadsIT.this.operators.generations(Accounts.PROJECTOR)
				.stream()
				.anyMatch((each) -> each.status() == ProjectionGeneration.Status.READY));
		}

		private void awaitBoth(long version) {
			awaitVersion("a", version);
			await().until(() -> G9ReadModelThreadsIT.this.world
				.count("select coalesce(max(version), 0) from accounts_g2.account") == version);
		}

		@SuppressWarnings("unchecked")
		private static Map<String, Object> beside(AnnotationConfigApplicationContext application) {
			Map<String, Map<String, Object>> projectors = (Map<String, Map<String, Object>>) health(application)
				.getDetails()
				.get("projectors");
			return (Map<String, Object>) projectors.get(Accounts.PROJECTOR).get("generation");
		}

	}

	@Nested
	@ExtendWith(OutputCaptureExtension.class)
	class OfChecks {

		@Test
		void goesOnAfterAnError() {
			try (AnnotationConfigApplicationContext application = checks()) {
				awaitRuns(1);
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(CHECKS, 2,
						new NoClassDefFoundError("of the test"));
				await().until(() -> fault.left().get() == 0);
				awaitRuns(runs() + 2);
				await().untilAsserted(
						() -> assertThat(reconciliations(application, true).getStatus()).isEqualTo(Status.UP));
			}
		}

		@Test
		void showsThatItIsStruckAgainAndAgain() {
			try (AnnotationConfigApplicationContext application = checks()) {
				awaitRuns(1);
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(CHECKS, Integer.MAX_VALUE,
						new NoClassDefFoundError("of the test"));
				await().untilAsserted(() -> {
					assertThat(reconciliations(application, true).getStatus()).isEqualTo(Status.DOWN);
					Health shown = reconciliations(application, false);
					assertThat(shown.getStatus()).isEqualTo(Status.UP);
					assertThat(shown.getDetails()).extractingByKey("schedule").asString().contains(CHECKS, STRUCK);
				});
				fault.left().set(0);
				awaitRuns(runs() + 2);
				await().untilAsserted(() -> assertThat(reconciliations(application, false).getDetails())
					.doesNotContainKey("schedule"));
			}
		}

		/** The thread lives, but each run fails. */
		@Test
		void saysOnceWhyNoCheckCanRun(CapturedOutput output) {
			try (AnnotationConfigApplicationContext application = checks()) {
				awaitRuns(1);
				FaultyDataSource.Fault fault = G9ReadModelThreadsIT.this.database.failFor(CHECKS, Integer.MAX_VALUE,
						new SQLException("permission denied for table lease_epochs", "42501"));
				await().untilAsserted(
						() -> assertThat(reconciliations(application, false).getDetails()).extractingByKey("schedule")
							.asString()
							.contains("sound: ", "requests: ", "permission denied for table lease_epochs"));
				int struck = fault.thrownTimes().get();
				await().until(() -> fault.thrownTimes().get() > struck + 4);
				assertThat(StringUtils.countOccurrencesOf(output.getOut(), "Check 'sound' cannot run now")).isOne();
				assertThat(StringUtils.countOccurrencesOf(output.getOut(), "Requested checks cannot be looked up now"))
					.isOne();
				fault.left().set(0);
				await().untilAsserted(() -> assertThat(reconciliations(application, false).getDetails())
					.doesNotContainKey("schedule"));
				await().until(() -> output.getOut().contains("Check 'sound' can run again."));
			}
		}

		private AnnotationConfigApplicationContext checks() {
			return G9ReadModelThreadsIT.this.world
				.start(application(new BesideSetup.Stored(), new Sound()).lease(Duration.ofSeconds(2)));
		}

		private static Health reconciliations(AnnotationConfigApplicationContext application, boolean down) {
			return new ReconciliationHealthIndicator(application.getBean(Reconciliations.class),
					application.getBean(CheckSchedule.class), down)
				.health();
		}

		private void awaitRuns(long number) {
			await().until(() -> runs() >= number);
		}

		private long runs() {
			return G9ReadModelThreadsIT.this.world.count("select count(*) from eventing.projection_checks");
		}

	}

	/** Finds nothing. */
	static class Sound {

		@Reconciliation(name = "sound", projector = Accounts.PROJECTOR, every = "1s")
		String check() {
			return "select 1 where false";
		}

	}

}
