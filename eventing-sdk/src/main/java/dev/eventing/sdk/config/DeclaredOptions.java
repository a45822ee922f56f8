package dev.eventing.sdk.config;

import java.time.Clock;

import dev.eventing.sdk.deadletter.DeadLetterStreamOptions;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.store.StoreOptions;

/**
 * What several parts need of the application's beans, or its default.
 *
 * @param store how events are stored
 * @param deadLetterStream what happens to dead letters outside the ledger
 * @param liveViews the limits of live views
 * @param clock the clock for lags and for the age of events
 */
record DeclaredOptions(StoreOptions store, DeadLetterStreamOptions deadLetterStream, LiveViewOptions liveViews,
		Clock clock) {
}
