@NullMarked
package dev.eventing.samples.benchmark.peers.springkafka;

import org.jspecify.annotations.NullMarked;
