/**
 * A soak: three nodes under load and random faults, watched each second, and in the end
 * compared with what was appended and published.
 */
@NullMarked
package dev.eventing.soak;

import org.jspecify.annotations.NullMarked;
