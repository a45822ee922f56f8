package dev.eventing.sdk.lease;

import java.time.Instant;

/**
 * The owner of a lease. Times are those of the database's clock. An expired lease still
 * has its owner until another node takes it over.
 *
 * @param owner the owner's node name
 * @param epoch how often the lease has changed its owner
 * @param acquiredAt when the owner acquired it
 * @param expiresAt when it expires unless it is renewed
 */
public record LeaseHolder(String owner, long epoch, Instant acquiredAt, Instant expiresAt) {
}
