/**
 * The command line {@code eventing}: what an operator does with dead letters, from a
 * shell. Needs only the database.
 */
@NullMarked
package dev.eventing.sdk.cli;

import org.jspecify.annotations.NullMarked;
