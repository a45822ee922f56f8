package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Starts and stops of the thread that does leased work. */
class LeaseWorkerTests {

	private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	private final AtomicBoolean interrupted = new AtomicBoolean();

	private final LeaseWorker worker = new LeaseWorker("leased-work", true, this::work);

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
		LeaseWorker[] pausing = new LeaseWorker[1];
		pausing[0] = new LeaseWorker("pausing-work", true, () -> {
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
		LeaseWorker stuck = new LeaseWorker("stuck-work", true, () -> {
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

}
