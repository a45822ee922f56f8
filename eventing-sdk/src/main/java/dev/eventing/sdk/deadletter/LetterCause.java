package dev.eventing.sdk.deadletter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Why an event is a dead letter.
 *
 * @param reason a constant for programs: {@code ATTEMPTS_EXHAUSTED},
 * {@code NOT_RETRYABLE}, {@code UNKNOWN_TYPE}, {@code PROCESS_DIED},
 * {@code MAX_DELIVERIES}, {@code TERMINATED}, {@code UNREADABLE:...}; or {@code BEHIND}
 * if the event is parked only because an earlier event of its key is a dead letter
 * @param failure the last error, or null if there was none
 * @param attempts the number of attempts; 0 if no handler ran
 * @param firstFailedAt when it failed for the first time
 */
public record LetterCause(String reason, @Nullable Failure failure, int attempts, Instant firstFailedAt) {

	/**
	 * The reason of an event that is parked only because an earlier event of its key is a
	 * dead letter.
	 */
	public static final String BEHIND = "BEHIND";

}
