/**
 * The annotations for handlers, and the post-processor that creates projector endpoints
 * from them.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.annotation;

import org.jspecify.annotations.NullMarked;
