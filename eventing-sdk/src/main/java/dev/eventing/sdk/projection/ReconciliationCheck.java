package dev.eventing.sdk.projection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A declared check.
 *
 * @param name its name
 * @param projector the projector whose read model it checks
 * @param every the time between two runs; null if it runs on request only
 */
public record ReconciliationCheck(String name, String projector, @Nullable Duration every) {
}
