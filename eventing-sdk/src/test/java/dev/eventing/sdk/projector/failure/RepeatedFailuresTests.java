package dev.eventing.sdk.projector.failure;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.RepeatedFailurePolicy;
import dev.eventing.sdk.projector.failure.RepeatedFailures.Turn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class RepeatedFailuresTests {

	private final AtomicReference<@Nullable Object> resumed = new AtomicReference<>();

	private final RepeatedFailures failures = failures(RepeatedFailurePolicy.PAUSE);

	@Test
	void pauseTheProjectorAtTheLimitAndLetNoFurtherEventBeCounted(CapturedOutput output) {
		assertThat(fail(1, "missing")).isNull();
		assertThat(fail(2, "missing")).isNull();
		assertThat(this.failures.isPaused()).isFalse();
		assertThat(fail(3, "missing")).isPositive();
		assertThat(this.failures.isPaused()).isTrue();
		assertThat(this.failures.current()).extracting(RepeatedFailures.Paused::describe)
			.isEqualTo("its first 3 events failed for one reason: why missing; it tries one again from time to time");
		assertThat(fail(4, "missing")).isPositive();
		assertThat(fail(5, "another")).isPositive();
		assertThat(output)
			.containsOnlyOnce("Projector 'orders' is paused: its first 3 events failed for one reason: why"
					+ " missing. No more of them become dead letters.");
	}

	/** Several attempts of one event count as one event. */
	@Test
	void areThoseOfDifferentEvents() {
		for (int attempt = 0; attempt < 9; attempt++) {
			assertThat(fail(1, "missing")).isNull();
		}
	}

	@Test
	void beginAgainWithAnotherReason() {
		fail(1, "missing");
		fail(2, "missing");
		fail(3, "null");
		fail(4, "null");
		assertThat(this.failures.isPaused()).isFalse();
		fail(5, "null");
		assertThat(this.failures.isPaused()).isTrue();
	}

	@Test
	void areNotLookedAtAfterTheFirstSuccess() {
		fail(1, "missing");
		this.failures.succeeded();
		for (int event = 2; event < 9; event++) {
			assertThat(fail(event, "missing")).isNull();
		}
	}

	@Test
	void areNotLookedAtWherePolicyIsDeadLetter() {
		RepeatedFailures policy = failures(RepeatedFailurePolicy.DEAD_LETTER);
		for (int event = 1; event < 9; event++) {
			assertThat(policy.failed(place(event), "missing", () -> "why")).isNull();
		}
	}

	@Test
	void letOneEventBeTriedAtATimeAndEndWithASuccess(CapturedOutput output) throws InterruptedException {
		assertThat(this.failures.awaitTurn()).isEqualTo(Turn.ALL);
		pause();
		assertThat(this.failures.awaitTurn()).isEqualTo(Turn.ONE);
		CompletableFuture<Turn> next = lastTurn();
		this.failures.succeeded();
		assertThat(next).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(Turn.ALL);
		assertThat(this.failures.isPaused()).isFalse();
		assertThat(output).contains("Projector 'orders' goes on after its pause by failures: an event was applied.");
	}

	@Test
	void endWithAResumeAndMayPauseAgain() {
		pause();
		CompletableFuture<Turn> next = lastTurn();
		this.resumed.set(Instant.now());
		assertThat(next).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(Turn.ALL);
		assertThat(this.failures.isPaused()).isFalse();
		assertThat(fail(11, "missing")).isNull();
		assertThat(fail(12, "missing")).isNull();
		assertThat(fail(13, "missing")).isPositive();
	}

	@Test
	void letNothingRunOnceTheProjectorStops() {
		pause();
		CompletableFuture<Turn> next = lastTurn();
		this.failures.stop();
		await().until(next::isDone);
		assertThat(next).isCompletedWithValue(Turn.NONE);
	}

	/** The first that is not about one event. */
	private CompletableFuture<Turn> lastTurn() {
		return CompletableFuture.supplyAsync(() -> {
			try {
				Turn turn = this.failures.awaitTurn();
				while (turn == Turn.ONE) {
					turn = this.failures.awaitTurn();
				}
				return turn;
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void pause() {
		for (int event = 1; event <= 3; event++) {
			fail(event, "missing");
		}
		assertThat(this.failures.isPaused()).isTrue();
	}

	private @Nullable Duration fail(long event, String kind) {
		return this.failures.failed(place(event), kind, () -> "why " + kind);
	}

	private static EventPlace place(long sequence) {
		return new EventPlace("ORDERS", sequence, Instant.EPOCH);
	}

	private RepeatedFailures failures(RepeatedFailurePolicy policy) {
		ProjectorSettings settings = ProjectorSettings.builder().onRepeatedFailure(policy).repeatedFailures(3).build();
		return new RepeatedFailures(ProjectorId.of("orders"), ProjectorOptions.of(settings), this.resumed::get);
	}

}
