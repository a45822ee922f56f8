/** The side that reads: two projectors and the tables they own. */
@NullMarked
package dev.eventing.samples.orders.projection;

import org.jspecify.annotations.NullMarked;
