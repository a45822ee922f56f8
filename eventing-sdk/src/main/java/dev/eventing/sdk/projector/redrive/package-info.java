/**
 * Runs dead letters again.
 */
@NullMarked
package dev.eventing.sdk.projector.redrive;

import org.jspecify.annotations.NullMarked;
