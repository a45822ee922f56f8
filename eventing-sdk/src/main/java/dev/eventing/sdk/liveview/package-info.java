/**
 * Live views: states folded from events, one per tenant and key, whose changes are pushed
 * to subscribers. A live view is a projector; the sub-packages contain what it has beside
 * that.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.liveview;

import org.jspecify.annotations.NullMarked;
