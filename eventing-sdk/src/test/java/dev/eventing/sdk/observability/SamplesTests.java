package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SamplesTests {

	private final Set<Thread> askedOn = ConcurrentHashMap.newKeySet();

	private final Samples<String> samples = new Samples<>("answers", this::answer);

	@Test
	void anErrorCostsOneAnswerAndNotTheThreadThatAsksForTheOthers() {
		assertThat(this.samples.last("broken")).isNull();
		await().until(() -> this.askedOn.size() == 1);
		await().until(() -> "answer".equals(this.samples.last("sound")));
		assertThat(this.samples.last("broken")).isNull();
		assertThat(this.askedOn).singleElement().satisfies((thread) -> {
			assertThat(thread.getName()).isEqualTo("eventing-samples-answers");
			assertThat(thread.isAlive()).isTrue();
		});
	}

	@Test
	void theFirstReadHasTheAnswer() {
		Samples<String> patient = new Samples<>("answers", this::answer, Duration.ofMinutes(1));
		assertThat(patient.last("sound")).isEqualTo("answer");
	}

	@Test
	void noReadWaitsForASilentServerOnceTheMomentIsOver() {
		CompletableFuture<String> silent = new CompletableFuture<>();
		Samples<String> impatient = new Samples<>("answers", (name) -> silent.join(), Duration.ZERO);
		assertThat(impatient.last("one")).isNull();
		assertThat(impatient.last("other")).isNull();
		silent.complete("answer");
		await().until(() -> "answer".equals(impatient.last("one")));
		await().until(() -> "answer".equals(impatient.last("other")));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void theLogNamesTheCauseOnce(CapturedOutput output) {
		Samples<String> failing = new Samples<>("lag of projector", (name) -> {
			throw new IllegalStateException("no table " + name);
		}, Duration.ofMinutes(1));
		assertThat(failing.last("orders")).isNull();
		assertThat(failing.last("users")).isNull();
		assertThat(output).containsOnlyOnce(
				"The lag of projector 'orders' cannot be read now: IllegalStateException: no table orders. Meters have no number until it"
						+ " can.");
	}

	@Test
	void aQuestionThatIsNotAnsweredIsAStall() {
		CompletableFuture<String> silent = new CompletableFuture<>();
		Samples<String> impatient = new Samples<>("lag of projector", (name) -> silent.join(), Duration.ZERO);
		impatient.last("orders");
		await().untilAsserted(() -> assertThat(impatient.stalls(Duration.ofMillis(100))).singleElement()
			.satisfies((stall) -> assertThat(stall.what()).isEqualTo("eventing-samples-lag-of-projector")));
		silent.complete("answer");
		await().until(() -> impatient.stalls(Duration.ofMillis(100)).isEmpty());
	}

	private String answer(String name) {
		this.askedOn.add(Thread.currentThread());
		if (name.equals("broken")) {
			throw new OutOfMemoryError("of the test");
		}
		return "answer";
	}

}
