package dev.eventing.sdk.operator;

import org.jspecify.annotations.Nullable;

/**
 * Who asks for a change, and whose letters alone it may reach.
 *
 * @param tenant the tenant whose letters alone can be meant, or null: all letters
 * @param actor who answers for the change
 */
public record Requester(@Nullable String tenant, @Nullable String actor) {
}
