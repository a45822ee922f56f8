/**
 * Starts, stops and supervises projectors, and gets their leases. The only package that
 * knows all the other sub-packages.
 */
@NullMarked
package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.NullMarked;
