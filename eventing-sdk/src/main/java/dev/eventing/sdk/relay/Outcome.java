package dev.eventing.sdk.relay;

import java.util.List;

import dev.eventing.sdk.nats.EventPublisher.Published;
import org.jspecify.annotations.Nullable;

/**
 * What came of a publish. Either confirmation or error is null.
 *
 * @param slots the event, or the events of a batch
 * @param attempt which attempt of a single event it was
 * @param batch whether it was a batch
 */
record Outcome(List<Slot> slots, int attempt, boolean batch, @Nullable Published confirmation,
		@Nullable Throwable error) {
}
