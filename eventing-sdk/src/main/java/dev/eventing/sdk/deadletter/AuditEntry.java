package dev.eventing.sdk.deadletter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One action on a letter.
 *
 * @param at the time, by the database's clock
 * @param actor the user who requested it, or {@code projector:<name>} for the projector
 * @param action the action
 * @param detail more information, or null
 */
public record AuditEntry(Instant at, String actor, DeadLetterAction action, @Nullable String detail) {
}
