/**
 * Configures the library in a Spring application: {@code @EnableEventing}.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.config;

import org.jspecify.annotations.NullMarked;
