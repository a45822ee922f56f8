package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.failure.RefusedTexts;

/**
 * The database's records of the events of one projector.
 *
 * @param projector the projector's name
 * @param claims those that it has applied
 * @param attempts those that failed, or may have
 * @param texts writes texts of events that the database may refuse
 */
public record EventTables(ProjectorId projector, Claims claims, JdbcAttempts attempts, RefusedTexts texts) {
}
