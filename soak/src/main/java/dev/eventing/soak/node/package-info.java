/** The application that each node runs, each in its own JVM. */
@NullMarked
package dev.eventing.soak.node;

import org.jspecify.annotations.NullMarked;
