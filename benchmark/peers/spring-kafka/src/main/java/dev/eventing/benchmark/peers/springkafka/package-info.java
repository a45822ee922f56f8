/**
 * spring-kafka's empty listener application, whose time to start is measured beside the
 * quick start's.
 */
@NullMarked
package dev.eventing.benchmark.peers.springkafka;

import org.jspecify.annotations.NullMarked;
