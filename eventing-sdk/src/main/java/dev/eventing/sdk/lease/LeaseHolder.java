package dev.eventing.sdk.lease;

import java.time.Instant;

/**
 * Who has a lease, by the database's clock. One that has expired is still its owner's
 * until somebody takes it over.
 *
 * @param owner the node
 * @param epoch how often the lease changed hands
 * @param acquiredAt since when
 * @param expiresAt until when, unless renewed
 */
public record LeaseHolder(String owner, long epoch, Instant acquiredAt, Instant expiresAt) {
}
