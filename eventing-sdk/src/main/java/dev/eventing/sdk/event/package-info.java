/**
 * The event, its headers, its tenant, and their wire forms, as immutable values. Depends
 * on no other package of the SDK except its root.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.event;

import org.jspecify.annotations.NullMarked;
