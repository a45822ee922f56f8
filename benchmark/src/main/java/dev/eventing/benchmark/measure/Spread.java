package dev.eventing.benchmark.measure;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Several values of the same kind.
 *
 * @param median the one in the middle, of an even number the mean of the two there
 * @param min the smallest
 * @param max the largest
 */
public record Spread(double median, double min, double max) {

	/**
	 * Of these values, in any order.
	 * @throws IllegalArgumentException if there are none
	 */
	public static Spread of(double... values) {
		if (values.length == 0) {
			throw new IllegalArgumentException("There are no values. Consider at least one round.");
		}
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		double median = (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
		return new Spread(median, sorted[0], sorted[sorted.length - 1]);
	}

	/** Of one value of each element. */
	public static <T> Spread of(Collection<T> elements, ToDoubleFunction<T> value) {
		return of(elements.stream().mapToDouble(value).toArray());
	}

}
