/**
 * The writes that handlers queue and the projector executes: updates and additions.
 */
@NullMarked
package dev.eventing.sdk.projector.write;

import org.jspecify.annotations.NullMarked;
