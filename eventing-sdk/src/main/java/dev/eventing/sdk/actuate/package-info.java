/**
 * The Actuator endpoint for dead letters.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.actuate;

import org.jspecify.annotations.NullMarked;
