/**
 * The database schema that holds the SDK's tables: its name, how it is created, and the
 * check that it is complete.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.schema;

import org.jspecify.annotations.NullMarked;
