/**
 * The ledger of events that could not be applied.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.NullMarked;
