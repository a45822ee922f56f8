/**
 * Generations of a read model's tables, in PostgreSQL: copies beside the live tables,
 * which change places with them.
 */
@NullMarked
package dev.eventing.sdk.projection.tables;

import org.jspecify.annotations.NullMarked;
