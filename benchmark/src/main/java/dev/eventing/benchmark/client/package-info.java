/** Clients of live views over HTTP, many on one thread. */
@NullMarked
package dev.eventing.benchmark.client;

import org.jspecify.annotations.NullMarked;
