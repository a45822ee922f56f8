/**
 * The side that writes: the order with its rules, a generator of orders, the publisher.
 */
@NullMarked
package dev.eventing.samples.orders.order;

import org.jspecify.annotations.NullMarked;
