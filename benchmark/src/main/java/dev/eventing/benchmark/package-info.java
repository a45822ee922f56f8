/** Compares the SDK with loops written by hand, and with its peers. */
@NullMarked
package dev.eventing.benchmark;

import org.jspecify.annotations.NullMarked;
