/** What can happen to an order: one record per event type. */
@NullMarked
package dev.eventing.samples.orders.event;

import org.jspecify.annotations.NullMarked;
