/**
 * What operators see of dead letters over HTTP and may do with them: the same in the
 * Actuator endpoint and in the console.
 */
@NullMarked
package dev.eventing.sdk.operator;

import org.jspecify.annotations.NullMarked;
