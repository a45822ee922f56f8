package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PeriodicTasksTests {

	private static final Duration EVERY = Duration.ofMillis(250);

	private static final int TASKS = 8;

	@AutoClose
	private final PeriodicTasks tasks = new PeriodicTasks("tasks-of-a-test");

	@Test
	void aTaskThatThrowsAnErrorRunsAgainAndHoldsUpNoOther() {
		AtomicInteger failed = new AtomicInteger();
		AtomicInteger[] others = new AtomicInteger[TASKS];
		this.tasks.every("broken", EVERY, () -> {
			failed.incrementAndGet();
			throw new NoClassDefFoundError("of the test");
		});
		// in whatever order they run, some come after the broken one
		for (int other = 0; other < TASKS; other++) {
			AtomicInteger runs = new AtomicInteger();
			others[other] = runs;
			this.tasks.every("whole", EVERY, runs::incrementAndGet);
		}
		await().until(() -> failed.get() >= 10);
		for (AtomicInteger runs : others) {
			assertThat(runs.get()).isGreaterThanOrEqualTo(9);
		}
		assertThat(this.tasks.stalls(Duration.ofSeconds(10))).isEmpty();
	}

}
