package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tasks of starts and stops, and the bounds of those who wait for them. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OneShotTests {

	private final CountDownLatch never = new CountDownLatch(1);

	private final AtomicBoolean interrupted = new AtomicBoolean();

	private void hang() {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			this.interrupted.set(true);
		}
	}

	@Test
	void waitsForAllOfThemAndNoLongerThanTheBound(CapturedOutput output) {
		AtomicBoolean other = new AtomicBoolean();
		OneShot.runAll(List.of(OneShot.daemon("hangs", this::hang), OneShot.daemon("ends", () -> other.set(true))),
				Duration.ofMillis(500));
		assertThat(other).isTrue();
		await().untilTrue(this.interrupted);
		assertThat(output).contains("'hangs' does not end, and is not waited for. Its thread is at:",
				"OneShotTests.hang");
	}

	@Test
	void triesThreeTimesAndLogsEachCause(CapturedOutput output) {
		AtomicInteger attempts = new AtomicInteger();
		OneShot.runAll(List.of(OneShot.daemon("fails", () -> {
			throw new IllegalStateException("attempt " + "abc".charAt(attempts.getAndIncrement()));
		})), Duration.ofSeconds(30));
		assertThat(attempts).hasValue(3);
		assertThat(output).contains("'fails' ended unexpectedly.", "attempt a", "attempt b",
				"'fails' has failed 3 times, and is not tried again.");
	}

	@Test
	void succeedsAtTheSecondAttempt() throws InterruptedException {
		AtomicInteger attempts = new AtomicInteger();
		assertThat(OneShot.daemon("once", () -> {
			if (attempts.incrementAndGet() == 1) {
				throw new OutOfMemoryError("of the test");
			}
		}).runWithin(Duration.ofSeconds(30))).isTrue();
		assertThat(attempts).hasValue(2);
	}

	@Test
	void interruptsWhatDoesNotEndInTime() throws InterruptedException {
		assertThat(OneShot.daemon("hangs", this::hang).runWithin(Duration.ofMillis(100))).isFalse();
		await().untilTrue(this.interrupted);
	}

}
