package dev.eventing.sdk.projector.transaction;

import dev.eventing.sdk.event.ProjectorId;

/**
 * What the database knows of the events of one projector.
 *
 * @param projector the projector's name
 * @param claims those that it has applied
 * @param attempts those that failed, or may have
 */
public record EventTables(ProjectorId projector, Claims claims, JdbcAttempts attempts) {
}
