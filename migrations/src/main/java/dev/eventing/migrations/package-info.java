/**
 * Where the SQL of the tables lies, for Flyway and for teams that run it themselves.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.migrations;

import org.jspecify.annotations.NullMarked;
