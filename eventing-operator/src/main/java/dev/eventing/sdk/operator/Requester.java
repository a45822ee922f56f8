package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * Who asks for a change, and within which scope.
 *
 * @param tenant the tenant whose letters and streams alone can be meant, or null: all of
 * them
 * @param actor who answers for the change; null if that is not known
 */
public record Requester(@Nullable String tenant, @Nullable String actor) {
}
