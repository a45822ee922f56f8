/** Debezium Engine: an outbox table read from the write-ahead log. */
@NullMarked
package dev.eventing.samples.benchmark.peers.debezium;

import org.jspecify.annotations.NullMarked;
