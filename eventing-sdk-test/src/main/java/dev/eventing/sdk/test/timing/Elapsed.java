package dev.eventing.sdk.test.timing;

import java.time.Duration;
import java.util.Locale;

/**
 * How long something took, and what the machine had to do with it.
 *
 * @param took the time by the clock
 * @param late for how long the machine stood still meanwhile: the sum of how late a
 * thread woke that slept beside it
 * @param crowding how many threads wanted each processor, on average; 1 if each had its
 * own, or if the system does not tell
 * @since 0.1.0
 */
public record Elapsed(Duration took, Duration late, double crowding) {

	/**
	 * How long it may have taken where a quiet machine may take as long as the bound: the
	 * bound times the crowding, and for as long as the machine stood still.
	 * @param bound the most on a quiet machine
	 * @return the most on this one
	 */
	public Duration allowance(Duration bound) {
		return Duration.ofNanos(Math.round(bound.toNanos() * this.crowding)).plus(this.late);
	}

	/**
	 * Asserts that it took no longer than it may. In a test that is a {@link TimedTest},
	 * a run in which the machine stood still for longer than the bound shows nothing, so
	 * the test is run again.
	 * @param bound the most on a quiet machine
	 * @throws AssertionError if it took longer than the {@linkplain #allowance(Duration)
	 * allowance}
	 */
	public void assertWithin(Duration bound) {
		if (this.late.compareTo(bound) > 0) {
			TimedTestRuns.runAgain(this, bound);
		}
		if (this.took.compareTo(allowance(bound)) > 0) {
			throw new AssertionError("took " + this + ", but may take " + bound.toMillis()
					+ " ms on a quiet machine and " + allowance(bound).toMillis() + " ms on this one");
		}
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "%d ms (the machine stood still for %d ms, %.1f threads for each processor)",
				this.took.toMillis(), this.late.toMillis(), this.crowding);
	}

}
