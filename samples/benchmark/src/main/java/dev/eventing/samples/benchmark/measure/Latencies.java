package dev.eventing.samples.benchmark.measure;

import java.util.Arrays;

/**
 * How long single events took.
 *
 * @param p50Ms the median in milliseconds
 * @param p99Ms what 99 of 100 took at most
 */
public record Latencies(double p50Ms, double p99Ms) {

	private static final double NANOS_PER_MILLI = 1e6;

	/**
	 * Of so many nanoseconds each, in any order.
	 * @throws IllegalArgumentException if there are none
	 */
	public static Latencies ofNanos(long[] nanos) {
		if (nanos.length == 0) {
			throw new IllegalArgumentException("There are no latencies. Consider more events.");
		}
		long[] sorted = nanos.clone();
		Arrays.sort(sorted);
		return new Latencies(percentile(sorted, 50), percentile(sorted, 99));
	}

	/** The smallest value that this share of all values do not exceed. */
	private static double percentile(long[] sorted, int percent) {
		int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
		return sorted[Math.max(0, rank - 1)] / NANOS_PER_MILLI;
	}

}
