package dev.eventing.sdk.projection;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One action on a projector.
 *
 * @param at the time, by the database's clock
 * @param generation the generation that was meant, or null for all
 * @param actor the user who requested it, or the node if its application did
 * @param action the action
 * @param reason the reason, or null
 * @param detail more information, or null
 */
public record ProjectionAuditEntry(Instant at, @Nullable Integer generation, String actor, ProjectionAction action,
		@Nullable String reason, @Nullable String detail) {
}
