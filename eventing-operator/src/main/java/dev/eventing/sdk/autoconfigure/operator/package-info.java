/**
 * Spring Boot support for operators: properties and beans of the console and its API.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk.autoconfigure.operator;

import org.jspecify.annotations.NullMarked;
