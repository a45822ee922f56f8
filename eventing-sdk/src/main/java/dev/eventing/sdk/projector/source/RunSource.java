package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;

/**
 * A projector's source from a start to a stop. Sends no request by itself. Thread-safe.
 */
public interface RunSource {

	/**
	 * Whether a server waits for each delivery to be settled, and for signals that the
	 * work on it continues.
	 */
	boolean awaitsSignals();

	/**
	 * Creates the place of the projector in what it reads like a log. Null if the server
	 * keeps its place.
	 */
	@Nullable Checkpoint checkpoint(FencedTransactions transactions);

	/** Creates what reads the events and passes them on. */
	Feed feed(FeedParts parts);

	/**
	 * Creates what reads which events the server gave up. Null if it gives up none, or
	 * that is switched off.
	 * @param lanes takes the events
	 */
	@Nullable AdvisoryReader advisories(FeedContext context, InFlight inFlight, WorkReceiver lanes);

}
