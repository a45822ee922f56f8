/**
 * Checks handlers while they are compiled. Runs inside the compiler: nothing here may
 * load a user's class or need Spring.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.annotation.processing;

import org.jspecify.annotations.NullMarked;
