/** Judges the observations of a run. */
@NullMarked
package dev.eventing.samples.soak.judge;

import org.jspecify.annotations.NullMarked;
