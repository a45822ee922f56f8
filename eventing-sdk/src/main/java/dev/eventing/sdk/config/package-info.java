/**
 * Wires the library for a Spring application: {@code @EnableEventing}.
 */
@NullMarked
package dev.eventing.sdk.config;

import org.jspecify.annotations.NullMarked;
