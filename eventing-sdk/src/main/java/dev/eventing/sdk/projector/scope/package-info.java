/** Rebuilds a part of a live read model in place. */
@NullMarked
package dev.eventing.sdk.projector.scope;

import org.jspecify.annotations.NullMarked;
