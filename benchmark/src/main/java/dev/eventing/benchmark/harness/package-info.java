/**
 * Runs comparisons: servers, clean states, rounds in turns, and the check that what was
 * done is right.
 */
@NullMarked
package dev.eventing.benchmark.harness;

import org.jspecify.annotations.NullMarked;
