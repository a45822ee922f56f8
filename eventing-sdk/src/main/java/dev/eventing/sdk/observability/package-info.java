/**
 * Metrics for Micrometer, and health of a Boot application. Both are optional: a class
 * here is loaded only if its library is present.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.observability;

import org.jspecify.annotations.NullMarked;
