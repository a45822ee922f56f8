/**
 * Starts, stops and supervises projectors. The only room that knows all others.
 */
@NullMarked
package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.NullMarked;
