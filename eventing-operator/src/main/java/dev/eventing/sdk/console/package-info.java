/**
 * The console: a page for operators of dead letters.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.console;

import org.jspecify.annotations.NullMarked;
