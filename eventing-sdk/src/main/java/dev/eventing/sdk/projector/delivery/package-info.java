/**
 * An event in a projector: its source, its content, and how many events a projector
 * holds.
 */
@NullMarked
package dev.eventing.sdk.projector.delivery;

import org.jspecify.annotations.NullMarked;
