package dev.eventing.sdk.liveview.web;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveViewListener;
import dev.eventing.sdk.liveview.LiveViewSubscription;

/** Follows keys for streams. */
@FunctionalInterface
public interface KeySubscriptions {

	/**
	 * Follows a key, as {@code LiveViews} does.
	 * @param listener does not block
	 */
	LiveViewSubscription subscribe(TenantId tenant, String view, String key, LiveViewListener listener);

}
