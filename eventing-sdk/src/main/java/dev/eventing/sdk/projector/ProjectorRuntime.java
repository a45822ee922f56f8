package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

import dev.eventing.sdk.OperatorMustActException;

/**
 * Settings that apply to all projectors of an application together.
 *
 * @param drainTimeout how long a stop waits for the events that the lanes hold
 * @param laneThreads creates the threads of the lanes, on which handlers run; they may be
 * virtual
 * @param standbyLimit how long a generation of a read model that was live is still fed
 * after a switch
 * @param exceptionMessages whether the log has the messages of exceptions that events
 * fail with
 */
public record ProjectorRuntime(Duration drainTimeout, ThreadFactory laneThreads, Duration standbyLimit,
		boolean exceptionMessages) {

	/** The default of the drain timeout: 10 seconds. */
	public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(10);

	/** The default of the limit: 24 hours. */
	public static final Duration DEFAULT_STANDBY_LIMIT = Duration.ofHours(24);

	/**
	 * Checks the values.
	 * @throws OperatorMustActException if the limit is not positive
	 */
	public ProjectorRuntime {
		if (standbyLimit.isNegative() || standbyLimit.isZero()) {
			throw new OperatorMustActException("A former generation cannot be fed for " + standbyLimit
					+ ". Consider the default of 24 hours for eventing.projections.standby-limit.");
		}
	}

	/** The log has the messages of exceptions. */
	public ProjectorRuntime(Duration drainTimeout, ThreadFactory laneThreads, Duration standbyLimit) {
		this(drainTimeout, laneThreads, standbyLimit, true);
	}

	/** The defaults: 10 seconds, platform threads, 24 hours, and messages in the log. */
	public static ProjectorRuntime defaults() {
		return new ProjectorRuntime(DEFAULT_DRAIN_TIMEOUT, Thread::new, DEFAULT_STANDBY_LIMIT);
	}

}
