package dev.eventing.sdk.projection.reconcile;

import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.ReconciliationCheck;
import org.jspecify.annotations.Nullable;

/**
 * A check with its query, or its fold.
 *
 * @param check the check
 * @param sql the query, without a semicolon at its end; empty if it folds
 * @param folded the fold; null if it has a query
 * @param buckets into how many runs of the query it is divided
 */
record DeclaredCheck(ReconciliationCheck check, String sql, @Nullable FoldedRow<?> folded, int buckets) {
}
