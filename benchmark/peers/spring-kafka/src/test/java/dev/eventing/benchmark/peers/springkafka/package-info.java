@NullMarked
package dev.eventing.benchmark.peers.springkafka;

import org.jspecify.annotations.NullMarked;
