@NullMarked
package dev.eventing.benchmark.peers;

import org.jspecify.annotations.NullMarked;
