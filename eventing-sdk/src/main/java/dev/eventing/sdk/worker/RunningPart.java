package dev.eventing.sdk.worker;

import java.time.Duration;

/**
 * A part of the SDK that runs from the start of an application to its stop.
 * {@link PartsLifecycle} starts and stops the parts that are beans of a context with
 * {@code @EnableEventing}. Thread-safe.
 */
public interface RunningPart {

	/** Starts it. Sends no request to a server that it needs only later. */
	void start();

	/**
	 * Stops it, and returns when it has stopped, or does not wait any longer. Does
	 * nothing if it does not run.
	 */
	void stop();

	/** Whether it was started, and not stopped since. */
	boolean isRunning();

	/** When it starts and stops, compared with other parts. */
	default ApplicationPhase phase() {
		return ApplicationPhase.PARTS;
	}

	/**
	 * How long its stop may take. A stop ends by itself sooner; one that takes longer
	 * hangs, and is not waited for.
	 */
	default Duration longestStop() {
		return Duration.ofMinutes(2);
	}

}
