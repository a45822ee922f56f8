package dev.eventing.sdk.test.timing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class StopwatchTest {

	private static final Duration BOUND = Duration.ofMillis(100);

	private static final Elapsed QUIET = new Elapsed(Duration.ofMillis(101), Duration.ZERO, 1);

	@Test
	void measuresTheClock() {
		Elapsed elapsed = Stopwatch.time(() -> pass(Duration.ofMillis(30)));
		assertThat(elapsed.took()).isGreaterThanOrEqualTo(Duration.ofMillis(30));
		assertThat(elapsed.crowding()).isGreaterThanOrEqualTo(1);
	}

	@Test
	void countsHowLongAServerLetsWait() {
		Elapsed elapsed;
		try (Stopwatch watch = Stopwatch.start(() -> pass(Duration.ofMillis(200)))) {
			pass(Duration.ofMillis(300));
			elapsed = watch.stop();
		}
		assertThat(elapsed.late()).isGreaterThanOrEqualTo(Duration.ofMillis(150));
	}

	@Test
	void leavesAnOutageToTheTest() {
		try (Stopwatch watch = Stopwatch.start(() -> {
			throw new IllegalStateException("away");
		})) {
			assertThatNoException().isThrownBy(watch::stop);
		}
	}

	@Test
	void allowsNothingOnAQuietMachine() {
		assertThat(QUIET.allowance(BOUND)).isEqualTo(BOUND);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> QUIET.assertWithin(BOUND))
			.withMessage("took 101 ms (the machine stood still for 0 ms, 1.0 threads for each processor),"
					+ " but may take 100 ms on a quiet machine and 100 ms on this one");
	}

	@Test
	void allowsForAMachineThatStandsStillAndForOneThatIsCrowded() {
		assertThat(new Elapsed(BOUND, Duration.ofMillis(20), 1.5).allowance(BOUND)).isEqualTo(Duration.ofMillis(170));
		new Elapsed(Duration.ofMillis(120), Duration.ofMillis(20), 1).assertWithin(BOUND);
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> new Elapsed(Duration.ofMillis(171), Duration.ofMillis(20), 1.5).assertWithin(BOUND));
	}

	@Test
	void judgesARunInWhichTheMachineStoodStillWhereItIsNotRepeated() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> new Elapsed(Duration.ofSeconds(1), Duration.ofMillis(200), 1).assertWithin(BOUND));
	}

	@Test
	void noticesAtOnceWhatDoesNotHoldAnyMore() {
		long end = System.nanoTime() + BOUND.toNanos();
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> Steady.holds("the light", Duration.ofMinutes(1), () -> System.nanoTime() - end < 0))
			.withMessageStartingWith("the light did not hold any more after ");
		Steady.holds(BOUND, () -> true);
	}

	private static void pass(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
