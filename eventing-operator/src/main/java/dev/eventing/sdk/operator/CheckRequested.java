package dev.eventing.sdk.operator;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The result of a request to run checks now. Once a node has run them, the list of checks
 * has the results.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was requested
 * @param attended whether a node runs the projector, or stands by; otherwise the request
 * waits for one until it expires
 * @param request the request; null for a dry run
 */
public record CheckRequested(String projector, boolean dryRun, boolean attended, @Nullable UUID request) {
}
