/**
 * The Actuator endpoints for dead letters and projectors.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.actuate;

import org.jspecify.annotations.NullMarked;
