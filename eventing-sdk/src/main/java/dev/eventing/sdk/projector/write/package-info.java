/**
 * What handlers leave to the projector to write: queued updates and additions.
 */
@NullMarked
package dev.eventing.sdk.projector.write;

import org.jspecify.annotations.NullMarked;
