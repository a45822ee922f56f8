/**
 * Shared by all packages of the SDK: the bases of its exceptions, and those that several
 * packages throw.
 *
 * @since 0.1.0
 */
@NullMarked
package dev.eventing.sdk;

import org.jspecify.annotations.NullMarked;
