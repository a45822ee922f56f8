/**
 * The console: a page for operators of dead letters.
 */
@NullMarked
package dev.eventing.sdk.console;

import org.jspecify.annotations.NullMarked;
