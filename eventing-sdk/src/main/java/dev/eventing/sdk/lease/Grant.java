package dev.eventing.sdk.lease;

import java.util.UUID;

/**
 * One time that a lease was given to somebody.
 *
 * @param epoch how often the lease changed hands until then
 * @param token differs between any two, also where a database that was set back counts
 * the same epoch twice
 */
record Grant(long epoch, UUID token) {
}
