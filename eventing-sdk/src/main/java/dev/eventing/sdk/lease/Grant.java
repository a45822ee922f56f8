package dev.eventing.sdk.lease;

import java.util.UUID;

/**
 * One acquisition of a lease by a node.
 *
 * @param epoch how often the lease has changed its owner, including this time
 * @param token unique for each acquisition, even if a database that was restored to an
 * earlier state counts the same epoch twice
 */
record Grant(long epoch, UUID token) {
}
