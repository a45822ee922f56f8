/**
 * Starts, stops and supervises projectors, and gets their leases. Connects the parts from
 * the other sub-packages.
 */
@NullMarked
package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.NullMarked;
