/** The SDK as applications use it: a Spring context, its defaults, and a handler. */
@NullMarked
package dev.eventing.benchmark.sdk;

import org.jspecify.annotations.NullMarked;
