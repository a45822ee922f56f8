/**
 * What every package of the SDK shares: the root of its exceptions.
 */
@NullMarked
package dev.eventing.sdk;

import org.jspecify.annotations.NullMarked;
