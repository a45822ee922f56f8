package dev.eventing.sdk.projection.reconcile;

import dev.eventing.sdk.projection.ReconciliationCheck;

/**
 * A check with its query.
 *
 * @param check the check
 * @param sql the query, without a semicolon at its end
 * @param buckets into how many runs of the query it is divided
 */
record DeclaredCheck(ReconciliationCheck check, String sql, int buckets) {
}
