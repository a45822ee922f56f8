package dev.eventing.sdk.operator;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The result of a change of a projector's read model.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was requested
 * @param attended whether a node runs the projector, or stands by; otherwise the request
 * waits for one until it expires
 * @param obstacles what is known to stand in the way of a request that was only planned
 * @param request the request; null for a dry run
 */
public record ProjectionRequested(String projector, boolean dryRun, boolean attended, List<String> obstacles,
		@Nullable RequestView request) {
}
