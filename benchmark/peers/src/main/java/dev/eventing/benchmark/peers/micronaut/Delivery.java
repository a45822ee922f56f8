package dev.eventing.benchmark.peers.micronaut;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;

/**
 * A message handed to a consumer.
 *
 * @param id the event's identity
 * @param tenant whose event it is
 * @param change what happened
 */
record Delivery(UUID id, String tenant, AccountChanged change) {
}
