package dev.eventing.sdk.projection;

import org.jspecify.annotations.Nullable;

/**
 * Runs the checks of an application that are to run by themselves, and those that
 * operators request. Thread-safe.
 */
public interface CheckSchedule {

	/**
	 * Returns why checks cannot be run on this node now: the thread that runs them ended
	 * unexpectedly, or the database refuses what a run needs. Checks resume by
	 * themselves. Null if checks run, and after a stop. A difference that a check finds,
	 * or a check without an answer, is no failure. Never contains a row. Sends no request
	 * to a server.
	 */
	@Nullable String lastFailure();

}
