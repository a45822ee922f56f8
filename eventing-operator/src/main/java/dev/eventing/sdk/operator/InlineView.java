package dev.eventing.sdk.operator;

import dev.eventing.sdk.projection.InlineStatus;

/**
 * What appends do for an inline projector.
 *
 * @param projector its name
 * @param status whether they run its handlers
 */
public record InlineView(String projector, InlineStatus status) {
}
