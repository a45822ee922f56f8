package dev.eventing.sdk.test.timing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Asserts that something stays as it is. It fails at the first look that finds it
 * otherwise, and has no upper bound of time, so that a slow machine only makes it look
 * less often.
 *
 * @since 0.1.0
 */
public final class Steady {

	private static final long PAUSE = Duration.ofMillis(50).toNanos();

	private Steady() {
	}

	/**
	 * Asserts that a condition holds at each look, the first at once and the last when
	 * the time is over.
	 * @param time for how long
	 * @param condition what must hold
	 * @throws AssertionError if it does not, or if the condition throws
	 */
	public static void holds(Duration time, Callable<Boolean> condition) {
		holds("the condition", time, condition);
	}

	/**
	 * Asserts that a condition holds at each look, the first at once and the last when
	 * the time is over.
	 * @param what the condition in words, for the error
	 * @param time for how long
	 * @param condition what must hold
	 * @throws AssertionError if it does not, or if the condition throws
	 */
	public static void holds(String what, Duration time, Callable<Boolean> condition) {
		long begun = System.nanoTime();
		long passed;
		do {
			passed = System.nanoTime() - begun;
			look(what, passed, condition);
			LockSupport.parkNanos(PAUSE);
		}
		while (passed < time.toNanos());
	}

	private static void look(String what, long passed, Callable<Boolean> condition) {
		boolean holds;
		try {
			holds = condition.call();
		}
		catch (Exception ex) {
			throw new AssertionError(what + " could not be looked at after " + passed / 1_000_000 + " ms", ex);
		}
		if (!holds) {
			throw new AssertionError(what + " did not hold any more after " + passed / 1_000_000 + " ms");
		}
	}

}
