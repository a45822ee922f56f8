/**
 * Measures how long applications take from the start of their JVM to the first event: the
 * quick start, and beside it spring-kafka's empty listener application.
 */
@NullMarked
package dev.eventing.benchmark.startup;

import org.jspecify.annotations.NullMarked;
