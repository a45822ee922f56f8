/** micronaut-nats: JetStream consumers whose idempotency is written by hand. */
@NullMarked
package dev.eventing.benchmark.peers.micronaut;

import org.jspecify.annotations.NullMarked;
