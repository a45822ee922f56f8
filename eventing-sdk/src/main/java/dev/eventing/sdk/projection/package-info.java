/**
 * Projectors as operators see them, over the database: which there are, how far each is,
 * who runs it, and who paused it. No running projector is needed.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.projection;

import org.jspecify.annotations.NullMarked;
