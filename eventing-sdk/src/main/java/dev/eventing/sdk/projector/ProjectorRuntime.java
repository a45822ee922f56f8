package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;

/**
 * How the projectors of an application run, whatever each of them says for itself.
 *
 * @param drainTimeout how long a stop waits for what the lanes hold
 * @param laneThreads makes the threads that handlers run on; they may be virtual
 */
public record ProjectorRuntime(Duration drainTimeout, ThreadFactory laneThreads) {

	/** How long a stop waits unless told otherwise: 10 seconds. */
	public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(10);

	/** Ten seconds to drain, and platform threads. */
	public static ProjectorRuntime defaults() {
		return new ProjectorRuntime(DEFAULT_DRAIN_TIMEOUT, Thread::new);
	}

}
