/**
 * Events that may have ended a process, and how they run until it is known: deliveries
 * and letters climb down one ladder, together, in a group, alone.
 */
@NullMarked
package dev.eventing.sdk.projector.suspect;

import org.jspecify.annotations.NullMarked;
