package dev.eventing.sdk.observability;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.projection.CheckSchedule;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ReconciliationResult.Run;
import dev.eventing.sdk.projection.Reconciliations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ReconciliationsWithoutServersTests {

	private static final Run RUN = new Run(Instant.EPOCH, Duration.ofMillis(5), "anna", null);

	private static final ReconciliationResult DIFFERENT = new ReconciliationResult("totals", "orders", RUN,
			new Answer(35, 3, List.of("{\"order\": \"o-1\"}")), null);

	private static final ReconciliationResult SOUND = new ReconciliationResult("totals", "orders", RUN,
			new Answer(35, 0, List.of()), null);

	private static final ReconciliationResult UNANSWERED = new ReconciliationResult("totals", "orders", RUN, null,
			"a value");

	@Test
	void metersShowTheLastRun() {
		MeterRegistry different = bound(DIFFERENT);
		await().until(() -> gauge(different, "differences") == 3);
		assertThat(gauge(different, "unanswered")).isZero();
		assertThat(gauge(different, "age")).isGreaterThan(1_000_000_000);
		MeterRegistry unanswered = bound(UNANSWERED);
		System.gc(); // nothing but the meters knows of the results any more
		await().until(() -> gauge(unanswered, "unanswered") == 1);
		assertThat(gauge(unanswered, "differences")).isNaN();
	}

	@Test
	void healthIsDownOnDifferencesOnlyWhereThatIsWanted() {
		assertThat(health(DIFFERENT, false).getStatus()).isEqualTo(Status.UP);
		assertThat(health(DIFFERENT, true).getStatus()).isEqualTo(Status.DOWN);
		assertThat(health(SOUND, true).getStatus()).isEqualTo(Status.UP);
		assertThat(health(UNANSWERED, true).getStatus()).isEqualTo(Status.UP);
		assertThat(health(DIFFERENT, false).getDetails().toString()).contains("differences=3", "position=35")
			.doesNotContain("o-1");
		assertThat(health(UNANSWERED, false).getDetails().toString()).contains("answered=false")
			.doesNotContain("a value");
	}

	@Test
	void healthShowsThatChecksCannotRunAndIsDownOnlyWhereThatIsWanted() {
		Schedule failing = new Schedule("'eventing-reconciliations' ended unexpectedly and restarts: an error");
		Health shown = new ReconciliationHealthIndicator(new Fixed(SOUND), failing, false).health();
		assertThat(shown.getStatus()).isEqualTo(Status.UP);
		assertThat(shown.getDetails()).containsEntry("schedule", failing.lastFailure());
		assertThat(new ReconciliationHealthIndicator(new Fixed(SOUND), failing, true).health().getStatus())
			.isEqualTo(Status.DOWN);
		assertThat(health(SOUND, true).getDetails()).doesNotContainKey("schedule");
	}

	private static MeterRegistry bound(ReconciliationResult last) {
		MeterRegistry registry = new SimpleMeterRegistry();
		new ReconciliationMetrics(new Fixed(last)).bindTo(registry);
		return registry;
	}

	private static double gauge(MeterRegistry registry, String name) {
		return registry.get("eventing.reconciliation." + name)
			.tag("check", "totals")
			.tag("projector", "orders")
			.gauge()
			.value();
	}

	private static Health health(ReconciliationResult last, boolean downOnDifferences) {
		ReconciliationHealthIndicator indicator = new ReconciliationHealthIndicator(new Fixed(last), new Schedule(null),
				downOnDifferences);
		return await().until(indicator::health, (health) -> health.getDetails().toString().contains("totals"));
	}

	/** One check and its last result. */
	private record Fixed(ReconciliationResult result) implements Reconciliations {

		@Override
		public List<ReconciliationCheck> checks() {
			return List.of(new ReconciliationCheck("totals", "orders", null));
		}

		@Override
		public Duration timeLimit(String check) {
			return Duration.ZERO;
		}

		@Override
		public ReconciliationResult run(String check, String actor) {
			return this.result;
		}

		@Override
		public ReconciliationResult runBeside(String check, int generation, String actor, Duration patience) {
			throw new UnsupportedOperationException();
		}

		@Override
		public GenerationDiff diff(String projector, String actor, Duration patience) {
			throw new UnsupportedOperationException();
		}

		@Override
		public GenerationDiff diff(String projector, String actor, @Nullable String reason, Duration patience) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Optional<ReconciliationResult> last(String check) {
			return Optional.of(this.result);
		}

		@Override
		public List<ReconciliationResult> results(String projector) {
			return List.of(this.result);
		}

	}

	/** Runs nothing. */
	private record Schedule(@Nullable String lastFailure) implements CheckSchedule {
	}

}
