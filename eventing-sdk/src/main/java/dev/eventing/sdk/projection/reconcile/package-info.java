/**
 * Finds the checks of an application, runs them, and schedules those that run by
 * themselves. Internal.
 */
@NullMarked
package dev.eventing.sdk.projection.reconcile;

import org.jspecify.annotations.NullMarked;
