package dev.eventing.sdk.projector.attempt;

import java.time.Instant;

/**
 * A transient failure that a projector waits out.
 *
 * @param since when it began
 * @param error what the database or the driver tells, for operators
 * @param lasting whether it lasts until somebody changes something, and the error names
 * what
 */
public record TransientFailure(Instant since, String error, boolean lasting) {
}
