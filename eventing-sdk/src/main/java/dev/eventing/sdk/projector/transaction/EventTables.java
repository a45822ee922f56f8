package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.idempotency.ProcessedEvents;

/**
 * What the database knows of the events of one projector.
 *
 * @param projector the projector's name
 * @param processedEvents those that it has applied
 * @param attempts those that failed, or may have
 */
public record EventTables(String projector, ProcessedEvents processedEvents, JdbcAttempts attempts) {
}
