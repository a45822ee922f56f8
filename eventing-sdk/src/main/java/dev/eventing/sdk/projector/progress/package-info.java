/**
 * How far projectors are, asked of the servers.
 */
@NullMarked
package dev.eventing.sdk.projector.progress;

import org.jspecify.annotations.NullMarked;
