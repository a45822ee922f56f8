/**
 * Operators' access to dead letters, projectors and erasures over HTTP, below the API of
 * the console. The command line writes the same JSON. Internal: the API is the JSON that
 * they take and return.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.operator;

import org.jspecify.annotations.NullMarked;
