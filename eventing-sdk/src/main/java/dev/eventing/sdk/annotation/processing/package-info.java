/**
 * Checks handlers while they are compiled. The classes run inside the compiler, so they
 * must not load a user's class or need Spring.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.annotation.processing;

import org.jspecify.annotations.NullMarked;
