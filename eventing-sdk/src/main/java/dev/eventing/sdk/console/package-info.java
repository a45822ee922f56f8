/**
 * A page for people who work with dead letters.
 */
@NullMarked
package dev.eventing.sdk.console;

import org.jspecify.annotations.NullMarked;
