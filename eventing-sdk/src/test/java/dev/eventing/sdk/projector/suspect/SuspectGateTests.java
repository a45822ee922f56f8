package dev.eventing.sdk.projector.suspect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SuspectGateTests {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch never = new CountDownLatch(1);

	@AfterEach
	void end() {
		this.never.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void letsOneRunAtATime() throws Exception {
		SuspectGate turn = new SuspectGate(Duration.ofMinutes(1));
		AtomicInteger running = new AtomicInteger();
		List<Future<Integer>> most = new ArrayList<>();
		for (int thread = 0; thread < 8; thread++) {
			most.add(this.threads.submit(() -> {
				int seen = 0;
				for (int round = 0; round < 200; round++) {
					AtomicInteger now = new AtomicInteger();
					turn.run(() -> {
						now.set(running.incrementAndGet());
						running.decrementAndGet();
					});
					seen = Math.max(seen, now.get());
				}
				return seen;
			}));
		}
		for (Future<Integer> seen : most) {
			assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(1);
		}
	}

	@Test
	void holdsOthersUpOnceForAllWhenOneHangs() throws Exception {
		Duration longest = Duration.ofMillis(500);
		SuspectGate turn = new SuspectGate(longest);
		CountDownLatch begun = new CountDownLatch(1);
		Future<?> hanging = this.threads.submit(() -> {
			turn.run(() -> {
				begun.countDown();
				awaitNever();
			});
			return true;
		});
		begun.await();
		long begin = System.nanoTime();
		List<Future<?>> others = new ArrayList<>();
		for (int other = 0; other < 20; other++) {
			others.add(this.threads.submit(() -> {
				turn.run(() -> {
				});
				return true;
			}));
		}
		for (Future<?> other : others) {
			other.get(30, TimeUnit.SECONDS);
		}
		assertThat(hanging.isDone()).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(longest.multipliedBy(6));
	}

	private void awaitNever() {
		try {
			this.never.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
