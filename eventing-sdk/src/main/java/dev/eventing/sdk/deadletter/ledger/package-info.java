/**
 * Dead letters in PostgreSQL: how they are written, found, changed and redriven.
 */
@NullMarked
package dev.eventing.sdk.deadletter.ledger;

import org.jspecify.annotations.NullMarked;
