package dev.eventing.benchmark.report;

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

	/** How many times {@code below} is in {@code above}; null if it is nothing. */
	static @Nullable Double quotient(double above, double below) {
		return (below > 0) ? above / below : null;
	}

	/**
	 * A bound.
	 *
	 * @param bound the bound
	 * @param side where figures are that meet it
	 */
	public record Target(double bound, Side side) {

		static Target atLeast(double bound) {
			return new Target(bound, Side.AT_LEAST);
		}

		static Target atMost(double bound) {
			return new Target(bound, Side.AT_MOST);
		}

		static Target below(double bound) {
			return new Target(bound, Side.BELOW);
		}

		boolean isMetBy(double value) {
			return switch (this.side) {
				case AT_LEAST -> value >= this.bound;
				case AT_MOST -> value <= this.bound;
				case BELOW -> value < this.bound;
			};
		}

		/** Such as {@code >= 0.95} or {@code < 10}. */
		@Override
		public String toString() {
			String number = (this.bound == Math.rint(this.bound)) ? Long.toString(Math.round(this.bound))
					: Double.toString(this.bound);
			return this.side.sign + " " + number;
		}

		/** Where figures are that meet a target. */
		public enum Side {

			/** On the bound or above. */
			AT_LEAST(">="),

			/** On the bound or below. */
			AT_MOST("<="),

			/** Below the bound. */
			BELOW("<");

			private final String sign;

			Side(String sign) {
				this.sign = sign;
			}

		}

	}

}
