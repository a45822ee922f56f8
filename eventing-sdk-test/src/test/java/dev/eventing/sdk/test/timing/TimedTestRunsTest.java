package dev.eventing.sdk.test.timing;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

class TimedTestRunsTest {

	private static final Duration BOUND = Duration.ofMillis(100);

	private static final Elapsed SHORT = new Elapsed(Duration.ofMillis(50), Duration.ZERO, 1);

	private static final Elapsed STOOD_STILL = new Elapsed(Duration.ofMillis(150), Duration.ofMillis(101), 1);

	private static final Elapsed STOOD_STILL_AND_TOO_LONG = new Elapsed(Duration.ofSeconds(1), Duration.ofMillis(101),
			1);

	private static final AtomicInteger RUNS = new AtomicInteger();

	private static final AtomicInteger OPEN = new AtomicInteger();

	@BeforeEach
	void forget() {
		RUNS.set(0);
	}

	@Test
	void runsOnceWhereTheMachineWasQuick() {
		TestExecutionSummary summary = run("isShort");
		assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
		assertThat(summary.getTestsFoundCount()).isEqualTo(1);
	}

	@Test
	void runsAgainWithASetUpOfItsOwnWhereTheMachineStoodStill() {
		TestExecutionSummary summary = run("standsStillOnce");
		assertThat(summary.getTestsAbortedCount()).isEqualTo(1);
		assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
		assertThat(OPEN).hasValue(0);
	}

	@Test
	void judgesTheThirdRun() {
		TestExecutionSummary summary = run("standsStillAndTakesTooLong");
		assertThat(summary.getTestsAbortedCount()).isEqualTo(2);
		assertThat(summary.getTestsFailedCount()).isEqualTo(1);
	}

	private static TestExecutionSummary run(String method) {
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
			.selectors(selectMethod(Sample.class, method))
			.build();
		LauncherFactory.create().execute(request, listener);
		return listener.getSummary();
	}

	/** Run by the tests around it alone. */
	static class Sample {

		@BeforeEach
		void open() {
			OPEN.incrementAndGet();
		}

		@AfterEach
		void close() {
			OPEN.decrementAndGet();
		}

		@TimedTest
		void isShort() {
			SHORT.assertWithin(BOUND);
		}

		@TimedTest
		void standsStillOnce() {
			((RUNS.incrementAndGet() == 1) ? STOOD_STILL : SHORT).assertWithin(BOUND);
		}

		@TimedTest
		void standsStillAndTakesTooLong() {
			STOOD_STILL_AND_TOO_LONG.assertWithin(BOUND);
		}

	}

}
