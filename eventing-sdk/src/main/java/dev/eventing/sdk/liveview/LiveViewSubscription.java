package dev.eventing.sdk.liveview;

import java.util.Optional;

/**
 * Follows one key of a live view, until it is closed. Thread-safe.
 *
 * @see LiveViews#subscribe
 */
public interface LiveViewSubscription extends AutoCloseable {

	/** The state that the listener got last; empty before the first one. */
	Optional<LiveState> state();

	/**
	 * Whether {@link #state} is known to be current. It stands still, as the state does,
	 * while the listener does not return.
	 */
	LiveViewStatus status();

	/** Ends it. A call of the listener may still be running when this returns. */
	@Override
	void close();

}
