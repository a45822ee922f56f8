/** Measurements of one round, and statistics over several. */
@NullMarked
package dev.eventing.benchmark.measure;

import org.jspecify.annotations.NullMarked;
