/**
 * The events that each projector has applied, and the claim that makes projectors
 * idempotent.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.idempotency;

import org.jspecify.annotations.NullMarked;
