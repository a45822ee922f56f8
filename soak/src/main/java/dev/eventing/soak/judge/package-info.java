/** Judges the observations of a run. */
@NullMarked
package dev.eventing.soak.judge;

import org.jspecify.annotations.NullMarked;
