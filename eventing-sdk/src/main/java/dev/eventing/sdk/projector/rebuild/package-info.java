/**
 * Does what operators request of a read model: begins a rebuild in place, creates and
 * drops generations beside the live one, switches, and moves live tables. The generations
 * themselves run in {@code projector.container}.
 */
@NullMarked
package dev.eventing.sdk.projector.rebuild;

import org.jspecify.annotations.NullMarked;
