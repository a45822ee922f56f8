/**
 * The console: a page for operators of dead letters, and the API over HTTP for dead
 * letters, projectors and erasures.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.console;

import org.jspecify.annotations.NullMarked;
