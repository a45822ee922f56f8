/**
 * Loops that a good engineer writes by hand for one purpose, with jnats, JDBC, Jackson
 * and a pool.
 */
@NullMarked
package dev.eventing.benchmark.handwritten;

import org.jspecify.annotations.NullMarked;
