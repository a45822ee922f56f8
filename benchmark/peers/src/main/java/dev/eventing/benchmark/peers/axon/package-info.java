/** Axon Framework 4: streaming processors over an event store in PostgreSQL. */
@NullMarked
package dev.eventing.benchmark.peers.axon;

import org.jspecify.annotations.NullMarked;
