/**
 * Operators' access to dead letters over HTTP. The Actuator endpoint and the console
 * share it.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.operator;

import org.jspecify.annotations.NullMarked;
