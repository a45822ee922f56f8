/**
 * What projectors do, for Micrometer and for the health of a Boot application. Both are
 * optional: a class here loads only where its library is.
 */
@NullMarked
package dev.eventing.sdk.observability;

import org.jspecify.annotations.NullMarked;
