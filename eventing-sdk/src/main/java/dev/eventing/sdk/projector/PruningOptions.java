package dev.eventing.sdk.projector;

import java.time.Duration;

/**
 * How rows of {@code processed_events} are pruned.
 *
 * @param enabled whether they are
 * @param retention how long a row is kept at least, also when its event can come no more;
 * covers clocks that differ, and publishers that publish an event once more
 * @param every the time between two passes over the table
 */
public record PruningOptions(boolean enabled, Duration retention, Duration every) {

	private static final Duration LEAST = Duration.ofHours(1);

	/** Seven days, looked at every hour. */
	public static final PruningOptions DEFAULTS = new PruningOptions(true, Duration.ofDays(7), Duration.ofHours(1));

	/** Nothing is pruned. */
	public static final PruningOptions NEVER = new PruningOptions(false, DEFAULTS.retention(), DEFAULTS.every());

	/**
	 * Checks the values.
	 * @throws InvalidPruningOptionsException if one is out of range
	 */
	public PruningOptions {
		if (retention.compareTo(LEAST) < 0) {
			throw new InvalidPruningOptionsException(
					"The retention of processed events is " + retention + ". Consider at least " + LEAST
							+ ", which the clocks of NATS, PostgreSQL and the nodes surely do not differ by.");
		}
		if (every.isNegative() || every.isZero()) {
			throw new InvalidPruningOptionsException(
					"The time between two passes that prune is " + every + ". Consider " + DEFAULTS.every() + ".");
		}
	}

}
