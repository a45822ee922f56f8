/**
 * The dashboard sample: reservations of two tenants, live on a page for each.
 */
@NullMarked
package dev.eventing.samples.dashboard;

import org.jspecify.annotations.NullMarked;
