/** Folds events into the states of live views, and hands over what changed. */
@NullMarked
package dev.eventing.sdk.liveview.fold;

import org.jspecify.annotations.NullMarked;
