/**
 * The annotations a user writes, and the post-processor that turns them into projector
 * endpoints.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.annotation;

import org.jspecify.annotations.NullMarked;
