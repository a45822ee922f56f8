/**
 * What a failure means: the event's own, the database's at this moment, or the process's.
 */
@NullMarked
package dev.eventing.sdk.projector.failure;

import org.jspecify.annotations.NullMarked;
