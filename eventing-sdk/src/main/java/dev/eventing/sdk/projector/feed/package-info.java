/**
 * What a projector reads from, and how it begins, goes on and stops reading.
 */
@NullMarked
package dev.eventing.sdk.projector.feed;

import org.jspecify.annotations.NullMarked;
