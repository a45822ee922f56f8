package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** How parts start and stop with their application. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class PartsLifecycleTests {

	private static final Duration SHORT = Duration.ofMillis(300);

	private final Map<String, RunningPart> parts = new LinkedHashMap<>();

	/** The calls of the parts. */
	private final List<String> steps = new CopyOnWriteArrayList<>();

	private final CountDownLatch goOn = new CountDownLatch(1);

	@AfterEach
	void letGo() {
		this.goOn.countDown();
	}

	private PartsLifecycle lifecycle(ApplicationPhase phase) {
		return new PartsLifecycle(phase, () -> this.parts, SHORT);
	}

	private PartsLifecycle lifecycle() {
		return lifecycle(ApplicationPhase.PARTS);
	}

	/** Uninterruptibly, as a driver may wait. */
	private void hang() {
		while (this.goOn.getCount() > 0) {
			try {
				this.goOn.await();
			}
			catch (InterruptedException ex) {
				this.steps.add("interrupted");
			}
		}
	}

	@Test
	void startsThePartsOfItsPhaseInTheirOrder() {
		part("watch").phase = ApplicationPhase.WATCH;
		part("projectors");
		part("relays");
		part("streams").phase = ApplicationPhase.STREAMS;
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		assertThat(this.steps).containsExactly("projectors starts", "relays starts");
		assertThat(lifecycle.isRunning()).isTrue();
		lifecycle.stop();
		assertThat(this.steps).containsExactlyInAnyOrder("projectors starts", "relays starts", "projectors stops",
				"projectors has stopped", "relays stops", "relays has stopped");
		assertThat(lifecycle.isRunning()).isFalse();
	}

	/** Spring starts a higher phase later, and stops it earlier. */
	@Test
	void watchesFromBeforeToAfterAndEndsStreamsBeforeAWebServerStops() {
		assertThat(lifecycle(ApplicationPhase.WATCH).getPhase()).isLessThan(lifecycle().getPhase());
		assertThat(lifecycle().getPhase()).isLessThan(lifecycle(ApplicationPhase.STREAMS).getPhase());
		assertThat(lifecycle(ApplicationPhase.STREAMS).getPhase()).isEqualTo(Integer.MAX_VALUE);
	}

	/** Each waits for the other one. */
	@Test
	void stopsThePartsSideBySide() {
		CyclicBarrier both = new CyclicBarrier(2);
		for (String name : List.of("projectors", "relays")) {
			part(name).stop = () -> {
				try {
					both.await(30, TimeUnit.SECONDS);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			};
		}
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		lifecycle.stop();
		assertThat(this.steps).contains("projectors has stopped", "relays has stopped");
	}

	/** Spring counts the phase as stopped then, whatever its own time-out is. */
	@Test
	void tellsSpringThatItHasStoppedWhenAllPartsHave() {
		part("projectors");
		part("relays");
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		lifecycle.stop(() -> this.steps.add("told"));
		assertThat(this.steps).hasSize(7).endsWith("told");
	}

	@Test
	void tellsSpringOnceThoughAStopFails(CapturedOutput output) {
		part("relays").stop = () -> {
			throw new IllegalStateException("of the test");
		};
		AtomicInteger told = new AtomicInteger();
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		lifecycle.stop(told::incrementAndGet);
		assertThat(output).contains("'relays-stop' has failed 3 times, and is not tried again.");
		assertThat(told).hasValue(1);
	}

	@Test
	void doesNotWaitForAStopThatHangs(CapturedOutput output) {
		Part hanging = part("relays");
		hanging.stop = this::hang;
		hanging.longestStop = SHORT;
		part("pruner").longestStop = SHORT.dividedBy(2);
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		lifecycle.stop();
		assertThat(this.steps).contains("pruner has stopped").doesNotContain("relays has stopped");
		assertThat(output).contains("'relays-stop' does not end, and is not waited for. Its thread is at:",
				"PartsLifecycleTests.hang");
	}

	@Test
	void aStartIsRefusedWhileAStopHangs() {
		Part hanging = part("relays");
		hanging.stop = this::hang;
		hanging.longestStop = SHORT;
		PartsLifecycle lifecycle = lifecycle();
		lifecycle.start();
		lifecycle.stop();
		assertThatExceptionOfType(StopUnderWayException.class).isThrownBy(lifecycle::start)
			.withMessageContaining("'relays' cannot start: a stop of it has not ended");
		assertThat(lifecycle.isRunning()).isFalse();
		this.goOn.countDown();
		await().until(() -> this.steps.contains("relays has stopped"));
		lifecycle.start();
		assertThat(lifecycle.isRunning()).isTrue();
		assertThat(hanging.isRunning()).isTrue();
	}

	/** The stop continues without the thread that asked for it. */
	@Test
	void aStartWaitsForTheStopThatAnInterruptedThreadLeftBehind() {
		Part slow = part("relays");
		slow.stop = this::hang;
		PartsLifecycle lifecycle = new PartsLifecycle(ApplicationPhase.PARTS, () -> this.parts);
		lifecycle.start();
		Thread.currentThread().interrupt();
		lifecycle.stop();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(lifecycle.isRunning()).isFalse();
		Thread starting = new Thread(lifecycle::start, "starting");
		starting.start();
		await().until(() -> starting.getState() == Thread.State.TIMED_WAITING);
		this.goOn.countDown();
		await().until(() -> !starting.isAlive());
		assertThat(this.steps).containsExactly("relays starts", "relays stops", "relays has stopped", "relays starts");
		assertThat(slow.isRunning()).isTrue();
	}

	@Test
	void aPartThatCannotStartStopsThoseThatHaveStarted() {
		part("projectors");
		part("relays").start = () -> {
			throw new IllegalStateException("of the test");
		};
		part("pruner");
		PartsLifecycle lifecycle = lifecycle();
		assertThatIllegalStateException().isThrownBy(lifecycle::start).withMessage("of the test");
		assertThat(lifecycle.isRunning()).isFalse();
		assertThat(this.steps).contains("projectors has stopped").doesNotContain("pruner starts");
	}

	@Test
	void leavesAPartAloneThatRunsAlready() {
		part("relays").start();
		lifecycle().start();
		assertThat(this.steps).containsExactly("relays starts");
	}

	private Part part(String name) {
		Part part = new Part(name);
		this.parts.put(name, part);
		return part;
	}

	/** Writes down what happens to it. */
	private final class Part implements RunningPart {

		private final String name;

		private ApplicationPhase phase = ApplicationPhase.PARTS;

		private @Nullable Runnable start;

		private @Nullable Runnable stop;

		private Duration longestStop = Duration.ofMinutes(1);

		private volatile boolean running;

		Part(String name) {
			this.name = name;
		}

		@Override
		public void start() {
			PartsLifecycleTests.this.steps.add(this.name + " starts");
			run(this.start);
			this.running = true;
		}

		@Override
		public void stop() {
			PartsLifecycleTests.this.steps.add(this.name + " stops");
			run(this.stop);
			this.running = false;
			PartsLifecycleTests.this.steps.add(this.name + " has stopped");
		}

		private static void run(@Nullable Runnable step) {
			if (step != null) {
				step.run();
			}
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public ApplicationPhase phase() {
			return this.phase;
		}

		@Override
		public Duration longestStop() {
			return this.longestStop;
		}

	}

}
