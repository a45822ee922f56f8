package dev.eventing.sdk.relay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class PositionSaverTests {

	private final WakeUp wakeUp = new WakeUp();

	@Test
	void savesOnAThreadOfItsOwnOneAtATime() throws InterruptedException {
		CountDownLatch go = new CountDownLatch(1);
		AtomicReference<String> name = new AtomicReference<>();
		try (PositionSaver saver = new PositionSaver("orders", this.wakeUp)) {
			assertThat(saver.collect()).isFalse();
			assertThat(saver.await()).isFalse();
			saver.start(() -> {
				name.set(Thread.currentThread().getName());
				pass(go);
			});
			assertThat(saver.isRunning()).isTrue();
			assertThat(saver.hasEnded()).isFalse();
			assertThat(saver.collect()).isFalse();
			assertThatIllegalStateException().isThrownBy(() -> saver.start(go::countDown));
			go.countDown();
			assertThat(saver.await()).isTrue();
			assertThat(saver.isRunning()).isFalse();
			assertThat(saver.collect()).isFalse();
		}
		assertThat(name).hasValue("relay-orders-saver");
	}

	@Test
	void throwsWhatASaveThrew() throws InterruptedException {
		IllegalArgumentException failure = new IllegalArgumentException("of the test");
		try (PositionSaver saver = new PositionSaver("orders", this.wakeUp)) {
			saver.start(() -> {
				throw failure;
			});
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(saver::await).isSameAs(failure);
		}
		OutOfMemoryError error = new OutOfMemoryError("of the test");
		try (PositionSaver saver = new PositionSaver("orders", this.wakeUp)) {
			saver.start(() -> {
				throw error;
			});
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(saver::await).isSameAs(error);
		}
	}

	@Test
	void waitsAtItsEndForTheSaveEvenIfInterrupted() {
		AtomicBoolean saved = new AtomicBoolean();
		CountDownLatch interrupted = new CountDownLatch(1);
		PositionSaver saver = new PositionSaver("orders", this.wakeUp);
		saver.start(() -> {
			while (interrupted.getCount() > 0) {
				if (Thread.interrupted()) {
					interrupted.countDown();
				}
				Thread.onSpinWait();
			}
			saved.set(true);
		});
		Thread.currentThread().interrupt();
		saver.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(saved).isTrue();
	}

	@Test
	void passesAnInterruptOnToASaveThatWaits() {
		AtomicBoolean interrupted = new AtomicBoolean();
		PositionSaver saver = new PositionSaver("orders", this.wakeUp);
		saver.start(() -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
		});
		Thread.currentThread().interrupt();
		saver.close();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(interrupted).isTrue();
	}

	private static void pass(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
