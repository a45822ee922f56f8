/**
 * Projectors: they read events, run handlers in one transaction per batch, handle
 * failures, and have a life cycle. The sub-packages contain the steps.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.projector;

import org.jspecify.annotations.NullMarked;
