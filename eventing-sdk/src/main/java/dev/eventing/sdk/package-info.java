/**
 * Shared by all packages of the SDK: the root of its exceptions.
 */
@NullMarked
package dev.eventing.sdk;

import org.jspecify.annotations.NullMarked;
