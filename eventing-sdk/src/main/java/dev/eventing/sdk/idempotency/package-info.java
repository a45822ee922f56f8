/**
 * Which events a projector has applied: the claim that makes it idempotent.
 */
@NullMarked
package dev.eventing.sdk.idempotency;

import org.jspecify.annotations.NullMarked;
