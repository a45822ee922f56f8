/** The application that each node runs, in a JVM of its own. */
@NullMarked
package dev.eventing.samples.soak.node;

import org.jspecify.annotations.NullMarked;
