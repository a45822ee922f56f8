/**
 * Spring Boot support: properties, auto-configured beans, and explanations of start-up
 * failures. No other package of the SDK depends on it.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.autoconfigure;

import org.jspecify.annotations.NullMarked;
