package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * Settings that apply to all projectors of an application together.
 *
 * @param drainTimeout how long a stop waits for the events that the lanes hold
 * @param laneThreads creates the threads of the lanes, on which handlers run; they may be
 * virtual
 */
public record ProjectorRuntime(Duration drainTimeout, ThreadFactory laneThreads) {

	/** The default of the drain timeout: 10 seconds. */
	public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(10);

	/** The defaults: 10 seconds drain timeout, and platform threads. */
	public static ProjectorRuntime defaults() {
		return new ProjectorRuntime(DEFAULT_DRAIN_TIMEOUT, Thread::new);
	}

}
