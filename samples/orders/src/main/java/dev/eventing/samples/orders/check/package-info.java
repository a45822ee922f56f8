/** Recomputes the read models in plain Java and compares them with the tables. */
@NullMarked
package dev.eventing.samples.orders.check;

import org.jspecify.annotations.NullMarked;
