package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SamplesTests {

	private final Set<Thread> askedOn = ConcurrentHashMap.newKeySet();

	private final Samples<String> samples = new Samples<>(this::answer);

	@Test
	void anErrorCostsOneAnswerAndNotTheThreadThatAsksForTheOthers() {
		assertThat(this.samples.last("broken")).isNull();
		await().until(() -> this.askedOn.size() == 1);
		await().until(() -> "answer".equals(this.samples.last("sound")));
		assertThat(this.samples.last("broken")).isNull();
		assertThat(this.askedOn).singleElement().satisfies((thread) -> {
			assertThat(thread.getName()).isEqualTo("eventing-samples");
			assertThat(thread.isAlive()).isTrue();
		});
	}

	@Test
	void theFirstReadHasTheAnswer() {
		Samples<String> patient = new Samples<>(this::answer, Duration.ofMinutes(1));
		assertThat(patient.last("sound")).isEqualTo("answer");
	}

	@Test
	void noReadWaitsForASilentServerOnceTheMomentIsOver() {
		CompletableFuture<String> silent = new CompletableFuture<>();
		Samples<String> impatient = new Samples<>((name) -> silent.join(), Duration.ZERO);
		assertThat(impatient.last("one")).isNull();
		assertThat(impatient.last("other")).isNull();
		silent.complete("answer");
		await().until(() -> "answer".equals(impatient.last("one")));
		await().until(() -> "answer".equals(impatient.last("other")));
	}

	private String answer(String name) {
		this.askedOn.add(Thread.currentThread());
		if (name.equals("broken")) {
			throw new OutOfMemoryError("of the test");
		}
		return "answer";
	}

}
