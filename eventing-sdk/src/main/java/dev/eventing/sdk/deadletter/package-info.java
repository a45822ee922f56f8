/**
 * The ledger of events that could not be applied.
 */
@NullMarked
package dev.eventing.sdk.deadletter;

import org.jspecify.annotations.NullMarked;
