/** Debezium Engine: an outbox table read from the write-ahead log. */
@NullMarked
package dev.eventing.benchmark.peers.debezium;

import org.jspecify.annotations.NullMarked;
