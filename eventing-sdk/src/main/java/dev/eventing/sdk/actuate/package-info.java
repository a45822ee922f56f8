/**
 * The Actuator endpoint for dead letters.
 */
@NullMarked
package dev.eventing.sdk.actuate;

import org.jspecify.annotations.NullMarked;
