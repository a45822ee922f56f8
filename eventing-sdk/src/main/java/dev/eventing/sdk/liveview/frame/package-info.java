/** The form of what is pushed, and the pushing of it over core NATS. */
@NullMarked
package dev.eventing.sdk.liveview.frame;

import org.jspecify.annotations.NullMarked;
