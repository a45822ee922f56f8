/** Code that the peers share. */
@NullMarked
package dev.eventing.samples.benchmark.peers;

import org.jspecify.annotations.NullMarked;
