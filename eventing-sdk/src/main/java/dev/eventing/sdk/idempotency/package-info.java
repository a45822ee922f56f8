/**
 * The table {@code processed_events}: which events each projector has applied, the
 * statement that claims an event, and what was pruned.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.idempotency;

import org.jspecify.annotations.NullMarked;
