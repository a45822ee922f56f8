package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.InvalidOptionsException;

/**
 * The options for pruning {@code processed_events}.
 *
 * @param enabled whether rows are pruned
 * @param retention how long a row is kept at least, even if its event cannot be delivered
 * again; it covers clock differences, and publishers that publish an event again
 * @param every the time between two passes over the table
 */
public record PruningOptions(boolean enabled, Duration retention, Duration every) {

	private static final Duration LEAST = Duration.ofHours(1);

	/** The defaults: seven days, with a pass every hour. */
	public static final PruningOptions DEFAULTS = new PruningOptions(true, Duration.ofDays(7), Duration.ofHours(1));

	/** Nothing is pruned. */
	public static final PruningOptions NEVER = new PruningOptions(false, DEFAULTS.retention(), DEFAULTS.every());

	/**
	 * Checks the values.
	 * @throws InvalidOptionsException if one is out of range
	 */
	public PruningOptions {
		if (retention.compareTo(LEAST) < 0) {
			throw invalid("The retention of processed events is " + retention + ". Consider at least " + LEAST
					+ ", because it must exceed the clock differences of NATS, PostgreSQL and the nodes.");
		}
		if (every.isNegative() || every.isZero()) {
			throw invalid(
					"The time between two passes of the pruner is " + every + ". Consider " + DEFAULTS.every() + ".");
		}
	}

	private static InvalidOptionsException invalid(String problem) {
		return new InvalidOptionsException("pruning",
				"in a PruningOptions bean, or by the properties 'eventing.processed-events.*'", List.of(problem));
	}

}
