package dev.eventing.soak.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThreadMischiefTests {

	private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);

	private final ThreadMischief mischief = new ThreadMischief();

	@Test
	void killsEachThreadOfTheKindOnce() throws Exception {
		beside("store-rebuilt@2-lane-3", () -> this.mischief.kill(0, MINUTE));
		assertThat(dies("stream-plain-lane-0")).isTrue();
		assertThat(dies("stream-plain-lane-0")).isFalse();
		assertThat(dies("store-plain-lane-12")).isTrue();
		assertThat(dies("stream-plain-intake")).isFalse();
		assertThat(dies("application-lane-1")).isFalse();
	}

	@Test
	void killsNoneOnceItsTimeIsOver() throws Exception {
		beside("eventing-leases", () -> this.mischief.kill(0, -1));
		assertThat(dies("eventing-leases")).isFalse();
	}

	@Test
	void interruptsTheThreadsOfTheKind() throws Exception {
		assertThat(beside("relay-soak-reader", () -> this.mischief.interrupt(0))).isTrue();
	}

	/**
	 * Runs it while there is one thread that looks like one of the SDK's.
	 * @return whether that one was interrupted
	 */
	private static boolean beside(String name, Runnable action) throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		CountDownLatch begun = new CountDownLatch(1);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			begun.countDown();
			try {
				end.await();
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
			catch (InterruptedException ex) {
				interrupted.complete(true);
			}
		}, name);
		thread.start();
		begun.await();
		action.run();
		end.countDown();
		return interrupted.get(60, TimeUnit.SECONDS);
	}

	private boolean dies(String name) throws Exception {
		CompletableFuture<Boolean> died = new CompletableFuture<>();
		new Thread(() -> {
			try {
				this.mischief.comesBy();
				died.complete(false);
			}
			catch (OutOfMemoryError ex) {
				died.complete(true);
			}
		}, name).start();
		return died.get(60, TimeUnit.SECONDS);
	}

}
