/**
 * Starts, stops and supervises projectors and the generations of their read models, also
 * one beside the live one, and gets their leases. Connects the parts from the other
 * sub-packages. An inline projection runs in {@code projector.inline}, in the
 * transactions that append.
 */
@NullMarked
package dev.eventing.sdk.projector.container;

import org.jspecify.annotations.NullMarked;
