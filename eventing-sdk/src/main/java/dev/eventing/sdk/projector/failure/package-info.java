/**
 * The cause of a failure: the event, the current state of the database, or the process;
 * and how long to wait before a retry.
 */
@NullMarked
package dev.eventing.sdk.projector.failure;

import org.jspecify.annotations.NullMarked;
