/** Finds and registers live views, and runs what all of them share. */
@NullMarked
package dev.eventing.sdk.liveview.run;

import org.jspecify.annotations.NullMarked;
