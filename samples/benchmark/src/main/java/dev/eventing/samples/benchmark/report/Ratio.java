package dev.eventing.samples.benchmark.report;

import org.jspecify.annotations.Nullable;

/**
 * A figure that has a target.
 *
 * @param name its name in {@code results.json}
 * @param text what it says, for people
 * @param value the figure; null where what it is made of was not measured
 * @param target what it is to be
 */
public record Ratio(String name, String text, @Nullable Double value, Target target) {

	/** Whether the target is met; null where the figure is. */
	public @Nullable Boolean met() {
		return (this.value == null) ? null : this.target.isMetBy(this.value);
	}

	/**
	 * A bound.
	 *
	 * @param bound the bound
	 * @param isUpper whether the figure is to stay below it, else it is to reach it
	 */
	public record Target(double bound, boolean isUpper) {

		static Target atLeast(double bound) {
			return new Target(bound, false);
		}

		static Target below(double bound) {
			return new Target(bound, true);
		}

		boolean isMetBy(double value) {
			return this.isUpper ? value < this.bound : value >= this.bound;
		}

		/** Such as {@code >= 0.9} or {@code < 10}. */
		@Override
		public String toString() {
			String number = (this.bound == Math.rint(this.bound)) ? Long.toString(Math.round(this.bound))
					: Double.toString(this.bound);
			return (this.isUpper ? "< " : ">= ") + number;
		}

	}

}
