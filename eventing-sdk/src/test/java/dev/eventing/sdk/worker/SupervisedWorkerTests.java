package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Starts, stops and new beginnings of a thread of the SDK. */
class SupervisedWorkerTests {

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	/** What a request may leave to each thread that is created during it. */
	private static final InheritableThreadLocal<@Nullable String> USER = new InheritableThreadLocal<>();

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private final AtomicBoolean interrupted = new AtomicBoolean();

	private final SupervisedWorker worker = SupervisedWorker.daemon("work", this::work);

	private void work() {
		this.begun.incrementAndGet();
		try {
			while (!this.worker.isStopping()) {
				this.worker.awaitStop(FOREVER);
			}
		}
		catch (InterruptedException ex) {
			this.interrupted.set(true);
		}
		finally {
			this.ended.incrementAndGet();
		}
	}

	@AfterEach
	void stop() {
		this.worker.stop();
	}

	@Test
	void worksOnceHoweverOftenItIsStarted() {
		this.worker.start();
		this.worker.start();
		assertThat(this.worker.isRunning()).isTrue();
		this.worker.stop();
		assertThat(this.begun).hasValue(1);
	}

	@Test
	void hasEndedItsWorkWhenStopReturnsAndWorksAgainWhenStartedAgain() {
		for (int round = 1; round <= 3; round++) {
			this.worker.start();
			assertThat(this.worker.isStopping()).isFalse();
			this.worker.stop();
			assertThat(this.ended).hasValue(round);
			assertThat(this.worker.isRunning()).isFalse();
			assertThat(this.worker.isStopping()).isTrue();
		}
		assertThat(this.interrupted).isFalse();
	}

	@Test
	void isStoppingAndNotRunningBeforeItsStart() throws InterruptedException {
		assertThat(this.worker.isRunning()).isFalse();
		assertThat(this.worker.isStopping()).isTrue();
		assertThat(this.worker.awaitStop(FOREVER)).isTrue();
		this.worker.stop();
		assertThat(this.begun).hasValue(0);
	}

	@Test
	void saysThatThePauseEndedWithoutAStop() {
		CountDownLatch goneOn = new CountDownLatch(1);
		SupervisedWorker[] pausing = new SupervisedWorker[1];
		pausing[0] = SupervisedWorker.daemon("pausing-work", () -> {
			try {
				if (!pausing[0].awaitStop(Duration.ofMillis(1))) {
					goneOn.countDown();
				}
			}
			catch (InterruptedException ex) {
				this.interrupted.set(true);
			}
		});
		pausing[0].start();
		await().until(() -> goneOn.getCount() == 0);
		pausing[0].stop();
		assertThat(this.interrupted).isFalse();
	}

	@Test
	void interruptsItsWorkWhenTheCallerOfStopIsInterrupted() throws InterruptedException {
		CountDownLatch free = new CountDownLatch(1);
		SupervisedWorker stuck = SupervisedWorker.daemon("stuck-work", () -> {
			try {
				free.await();
			}
			catch (InterruptedException ex) {
				this.interrupted.set(true);
			}
		});
		stuck.start();
		AtomicBoolean kept = new AtomicBoolean();
		Thread caller = new Thread(() -> {
			stuck.stop();
			kept.set(Thread.currentThread().isInterrupted());
		});
		caller.start();
		caller.interrupt();
		caller.join();
		await().untilTrue(this.interrupted);
		assertThat(kept).as("the caller's own interrupt").isTrue();
	}

	@Test
	void beginsAgainWhateverTheWorkThrowsAndSaysWhyMeanwhile() {
		AtomicInteger runs = new AtomicInteger();
		Deque<Throwable> failures = new ArrayDeque<>(
				List.of(new OutOfMemoryError("none left"), new NoClassDefFoundError("gone"),
						new IllegalStateException("odd"), new InterruptedException("nobody")));
		List<String> said = new CopyOnWriteArrayList<>();
		SupervisedWorker[] failing = new SupervisedWorker[1];
		failing[0] = SupervisedWorker.daemon("failing-work", () -> {
			WorkerFailure before = failing[0].failure();
			said.add((before != null) ? before.error() : "none");
			if (runs.incrementAndGet() <= 4) {
				SupervisedWorkerTests.<Error>sneak(failures.remove());
			}
			failing[0].beat();
			failing[0].awaitStop(FOREVER);
		});
		failing[0].start();
		await().until(() -> runs.get() == 5 && failing[0].failure() == null);
		failing[0].stop();
		assertThat(said).containsExactly("none", "java.lang.OutOfMemoryError: none left",
				"java.lang.NoClassDefFoundError: gone", "java.lang.IllegalStateException: odd",
				"java.lang.InterruptedException: nobody");
		assertThat(failing[0].restarts()).isEqualTo(4);
	}

	@Test
	void doesNotBeginAgainWhenItFailsWhileItStops() {
		AtomicInteger runs = new AtomicInteger();
		SupervisedWorker[] failing = new SupervisedWorker[1];
		failing[0] = SupervisedWorker.daemon("failing-work", () -> {
			runs.incrementAndGet();
			failing[0].awaitStop(FOREVER);
			throw new IllegalStateException("while it stops");
		});
		failing[0].start();
		await().until(() -> runs.get() == 1);
		failing[0].stop();
		assertThat(runs).hasValue(1);
		assertThat(failing[0].failure()).isNull();
	}

	@Test
	void endsDuringThePauseBeforeItBeginsAgain() {
		SupervisedWorker failing = SupervisedWorker.daemon("failing-work", () -> {
			throw new IllegalStateException("always");
		});
		failing.start();
		await().until(() -> {
			WorkerFailure failure = failing.failure();
			return failure != null && failure.failures() > 3;
		});
		failing.stop();
		assertThat(failing.isRunning()).isFalse();
		assertThat(failing.failure()).isNull();
	}

	@Test
	void endsWhenTheWorkReturns() throws InterruptedException {
		AtomicInteger runs = new AtomicInteger();
		SupervisedWorker ending = SupervisedWorker.daemon("ending-work", runs::incrementAndGet);
		ending.start();
		assertThat(ending.join(FOREVER.dividedBy(1_000_000_000))).isTrue();
		assertThat(runs).hasValue(1);
	}

	@Test
	void hasAThreadOnlyWhileItIsCalledFor() {
		AtomicInteger runs = new AtomicInteger();
		SupervisedWorker called = SupervisedWorker.daemon("called-work", runs::incrementAndGet);
		called.call();
		called.startOnCall();
		called.startOnCall();
		assertThat(called.isRunning()).isTrue();
		assertThat(threadsNamed("called-work")).isZero();
		assertThat(runs).hasValue(0);
		for (int round = 1; round <= 3; round++) {
			called.call();
			await().until(() -> threadsNamed("called-work") == 0);
			assertThat(runs).hasValue(round);
		}
		called.stop();
		called.call();
		assertThat(runs).hasValue(3);
		assertThat(called.isRunning()).isFalse();
	}

	@Test
	void missesNoCallThatComesWhileItsWorkReturns() {
		AtomicInteger given = new AtomicInteger();
		AtomicInteger done = new AtomicInteger();
		SupervisedWorker called = SupervisedWorker.daemon("called-work", () -> done.set(given.get()));
		called.startOnCall();
		for (int round = 1; round <= 20_000; round++) {
			given.set(round);
			called.call();
			if (round % 100 == 0) {
				int expected = round;
				await().pollDelay(Duration.ZERO).until(() -> done.get() == expected);
			}
		}
		called.stop();
	}

	@Test
	void hasNothingOfTheRequestThatCallsItFirst() throws InterruptedException {
		ClassLoader own = Thread.currentThread().getContextClassLoader();
		List<Object> seen = new CopyOnWriteArrayList<>();
		SupervisedWorker called = SupervisedWorker.daemon("called-work", () -> {
			seen.add("user " + USER.get());
			seen.add(Thread.currentThread().getContextClassLoader());
		});
		called.startOnCall();
		Thread request = new Thread(() -> {
			USER.set("anna");
			called.call();
		});
		request.setContextClassLoader(new ClassLoader(own) {
		});
		request.start();
		request.join();
		await().until(() -> seen.size() == 2);
		assertThat(seen).containsExactly("user null", own);
		called.stop();
	}

	@Test
	void isShownToWorkAgainOnceItsWorkReturned() {
		List<WorkerFailure> shown = new CopyOnWriteArrayList<>();
		SupervisedWorker[] called = new SupervisedWorker[1];
		called[0] = SupervisedWorker.daemon("called-work", () -> {
			WorkerFailure failure = called[0].failure();
			if (failure == null) {
				throw new IllegalStateException("once");
			}
			shown.add(failure);
		});
		called[0].startOnCall();
		called[0].call();
		await().until(() -> !shown.isEmpty() && called[0].failure() == null);
		called[0].stop();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void logsEachCauseOnce(CapturedOutput output) {
		Deque<String> causes = new ArrayDeque<>(
				List.of("no memory 1", "no memory 2", "no class", "no class", "no memory 3"));
		SupervisedWorker failing = SupervisedWorker.daemon("failing", () -> {
			String next = causes.poll();
			if (next != null) {
				throw new IllegalStateException(next);
			}
		});
		failing.start();
		await().until(() -> failing.restarts() == 5 && failing.failure() == null);
		assertThat(output.getOut().split("'failing' ended unexpectedly", -1)).hasSize(3);
		assertThat(output).containsPattern("ERROR.*'failing' ended unexpectedly. It restarts")
			.containsPattern("WARN.*'failing' ended unexpectedly 3 times in a row, now by another cause.")
			.contains("IllegalStateException: no memory 1", "IllegalStateException: no class");
		failing.stop();
	}

	@Test
	void hangsIfItNeitherBeatsNorRests() {
		CountDownLatch free = new CountDownLatch(1);
		CountDownLatch resting = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Duration longest = Duration.ofMillis(100);
		SupervisedWorker hanging = SupervisedWorker.daemon("hanging", () -> free.await());
		hanging.start();
		await().untilAsserted(() -> assertThat(hanging.stalls(longest)).singleElement().satisfies((stall) -> {
			assertThat(stall.what()).isEqualTo("hanging");
			assertThat(stall.stack()).isNotEmpty();
		}));
		free.countDown();
		await().until(() -> hanging.stalls(longest).isEmpty());
		SupervisedWorker[] rests = new SupervisedWorker[1];
		rests[0] = SupervisedWorker.daemon("resting", () -> {
			resting.countDown();
			rests[0].rest(() -> end.await(1, TimeUnit.MINUTES));
		});
		rests[0].start();
		await().until(() -> resting.getCount() == 0);
		await().during(Duration.ofMillis(300)).until(() -> rests[0].stalls(longest).isEmpty());
		end.countDown();
	}

	@Test
	void doesNotHangBeforeItsWorkBeginsAnew() {
		SupervisedWorker called = SupervisedWorker.daemon("called-late", () -> this.begun.incrementAndGet());
		called.startOnCall();
		await().during(Duration.ofMillis(300)).until(() -> called.stalls(Duration.ofMillis(100)).isEmpty());
		called.call();
		await().during(Duration.ofMillis(50)).until(() -> called.stalls(Duration.ofMillis(100)).isEmpty());
	}

	private static long threadsNamed(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().equals(name)).count();
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneak(Throwable thrown) throws T {
		throw (T) thrown;
	}

}
