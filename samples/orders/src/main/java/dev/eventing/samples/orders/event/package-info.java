/** The events of an order: one record per event type. */
@NullMarked
package dev.eventing.samples.orders.event;

import org.jspecify.annotations.NullMarked;
