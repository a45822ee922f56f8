/**
 * The event, its headers, its tenant, and their wire forms, as immutable values, and the
 * id of a projector, which every package may know for the same reason: this one depends
 * on no other package of the SDK except its root.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.event;

import org.jspecify.annotations.NullMarked;
