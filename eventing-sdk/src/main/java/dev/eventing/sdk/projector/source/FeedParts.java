package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.projector.backfill.Backfill;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a feed.
 *
 * @param context the context of the feed
 * @param coverage what handlers were given before
 * @param inFlight the events that the projector holds
 * @param lanes takes the events
 * @param checkpoint the place in a log; null if the server keeps it
 * @param fill the filling of the read model; null if it continues after its place
 * @param backfill the backfill beside the live feed; null if there is none
 * @param handlers runs handlers outside of the lanes, while these are at rest
 */
public record FeedParts(FeedContext context, Coverage coverage, InFlight inFlight, WorkReceiver lanes,
		@Nullable Checkpoint checkpoint, @Nullable StoreFill fill, @Nullable Backfill backfill,
		HandlerTransaction handlers) {
}
