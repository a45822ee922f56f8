package dev.eventing.sdk.projector.transaction;

/**
 * What the database knows of the events of one projector.
 *
 * @param projector the projector's name
 * @param claims those that it has applied
 * @param attempts those that failed, or may have
 */
public record EventTables(String projector, Claims claims, JdbcAttempts attempts) {
}
