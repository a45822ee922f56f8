/**
 * Shared by all packages of the SDK: the root of its exceptions.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk;

import org.jspecify.annotations.NullMarked;
