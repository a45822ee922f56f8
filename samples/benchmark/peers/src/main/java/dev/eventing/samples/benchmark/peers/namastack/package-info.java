/** namastack-outbox: an outbox table whose handler publishes to JetStream. */
@NullMarked
package dev.eventing.samples.benchmark.peers.namastack;

import org.jspecify.annotations.NullMarked;
