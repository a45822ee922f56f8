package dev.eventing.sdk.deadletter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Something that was done to a letter.
 *
 * @param at when, by the database's clock
 * @param actor who did it: a person, or the projector itself as {@code projector:<name>}
 * @param action what was done
 * @param detail more about it, or null
 */
public record AuditEntry(Instant at, String actor, DeadLetterAction action, @Nullable String detail) {
}
