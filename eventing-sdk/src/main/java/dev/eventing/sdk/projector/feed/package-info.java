/**
 * The sources of projectors: how a projector begins, continues and stops reading.
 */
@NullMarked
package dev.eventing.sdk.projector.feed;

import org.jspecify.annotations.NullMarked;
