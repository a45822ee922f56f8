@NullMarked
package dev.eventing.samples.benchmark.peers;

import org.jspecify.annotations.NullMarked;
