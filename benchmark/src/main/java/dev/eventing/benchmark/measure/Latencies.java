package dev.eventing.benchmark.measure;

import java.time.Duration;
import java.util.Arrays;

import dev.eventing.sdk.test.timing.Stopwatch;

/**
 * How long single events took.
 *
 * @param p50Ms the median in milliseconds
 * @param p99Ms what 99 of 100 took at most
 * @param lateMs for how long the machine stood still meanwhile, as a {@link Stopwatch}
 * measures it
 */
public record Latencies(double p50Ms, double p99Ms, double lateMs) {

	private static final double NANOS_PER_MILLI = 1e6;

	/**
	 * Of the given nanoseconds, in any order.
	 * @param late for how long the machine stood still meanwhile
	 * @throws IllegalArgumentException if there are none
	 */
	public static Latencies ofNanos(long[] nanos, Duration late) {
		if (nanos.length == 0) {
			throw new IllegalArgumentException("There are no latencies. Consider more events.");
		}
		long[] sorted = nanos.clone();
		Arrays.sort(sorted);
		return new Latencies(percentile(sorted, 50), percentile(sorted, 99), late.toNanos() / NANOS_PER_MILLI);
	}

	/** The smallest value that this share of all values do not exceed. */
	private static double percentile(long[] sorted, int percent) {
		int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
		return sorted[Math.max(0, rank - 1)] / NANOS_PER_MILLI;
	}

}
