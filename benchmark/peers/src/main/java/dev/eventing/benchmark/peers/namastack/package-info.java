/** namastack-outbox: an outbox table whose handler publishes to JetStream. */
@NullMarked
package dev.eventing.benchmark.peers.namastack;

import org.jspecify.annotations.NullMarked;
