/** The form of frames, and how they are pushed over core NATS. */
@NullMarked
package dev.eventing.sdk.liveview.frame;

import org.jspecify.annotations.NullMarked;
