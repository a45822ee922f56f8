/**
 * Dead letters: the ledger of events that a projector could not apply, and the operations
 * on it.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.NullMarked;
