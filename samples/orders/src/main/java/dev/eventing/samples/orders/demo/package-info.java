/** Runs the sample from start to end and tells what happens. */
@NullMarked
package dev.eventing.samples.orders.demo;

import org.jspecify.annotations.NullMarked;
