/**
 * Dead letters in PostgreSQL: writes, finds and changes them, and requests their redrive,
 * which {@code projector.redrive} runs.
 */
@NullMarked
package dev.eventing.sdk.deadletter.ledger;

import org.jspecify.annotations.NullMarked;
