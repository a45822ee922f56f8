package dev.eventing.sdk.operator;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request to run checks now.
 *
 * @param change the projector, who answers for the request, and why
 * @param generation the number of a generation beside the live one; null for the live one
 * @param check the name of the check; null for all checks of the projector
 * @param expires how long the request may wait for a node; null for the default
 */
public record CheckChange(ProjectorChange change, @Nullable Integer generation, @Nullable String check,
		@Nullable Duration expires) {
}
