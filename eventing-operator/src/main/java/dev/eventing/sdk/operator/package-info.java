/**
 * Operators' access to dead letters, projectors and erasures over HTTP. The Actuator
 * endpoints and the console share it. The command line writes the same JSON. Internal:
 * the API is the JSON that they return.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.operator;

import org.jspecify.annotations.NullMarked;
