/** Follows states: subscribes, joins frames, and reads what is missing. */
@NullMarked
package dev.eventing.sdk.liveview.client;

import org.jspecify.annotations.NullMarked;
