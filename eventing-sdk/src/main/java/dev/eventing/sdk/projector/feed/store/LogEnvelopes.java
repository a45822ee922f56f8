package dev.eventing.sdk.projector.feed.store;

import java.util.List;

import dev.eventing.sdk.store.StoredEvent;

/** Reads the event store without the contents of events. For one thread. */
interface LogEnvelopes {

	/** All events up to here were returned. */
	long position();

	/**
	 * Returns the next events. None if some of them are to be read whole, or must wait.
	 */
	List<StoredEvent> envelopes(int limit, long upTo);

	/** Returns what comes after an earlier position once more. */
	void backTo(long earlier);

}
