package dev.eventing.sdk.deadletter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Why an event is a dead letter.
 *
 * @param reason a word for machines: {@code ATTEMPTS_EXHAUSTED}, {@code NOT_RETRYABLE},
 * {@code UNKNOWN_TYPE}, {@code PROCESS_DIED}, {@code UNREADABLE:...}; or {@code BEHIND}:
 * it is not, but an earlier event of its key is
 * @param failure the last error, or null where there was none
 * @param attempts how often a handler ran; 0 when none ever did
 * @param firstFailedAt when it failed for the first time
 */
public record LetterCause(String reason, @Nullable Failure failure, int attempts, Instant firstFailedAt) {

	/** The reason of an event that is parked only because it follows a dead one. */
	public static final String BEHIND = "BEHIND";

}
