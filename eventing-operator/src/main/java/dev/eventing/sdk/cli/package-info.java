/**
 * The command line {@code eventing}, with which operators manage dead letters, projectors
 * and read models. Needs only the database.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.cli;

import org.jspecify.annotations.NullMarked;
