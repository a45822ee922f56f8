/** What one round took, and statistics over several. */
@NullMarked
package dev.eventing.samples.benchmark.measure;

import org.jspecify.annotations.NullMarked;
