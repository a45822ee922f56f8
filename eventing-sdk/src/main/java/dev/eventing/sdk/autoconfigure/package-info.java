/**
 * Spring Boot: properties, what the application need not declare itself, and start-up
 * failures in words. Nothing else of the SDK depends on it.
 */
@NullMarked
package dev.eventing.sdk.autoconfigure;

import org.jspecify.annotations.NullMarked;
