/**
 * The progress of projectors, from the servers.
 */
@NullMarked
package dev.eventing.sdk.projector.progress;

import org.jspecify.annotations.NullMarked;
