package dev.eventing.sdk.projector.source;

import java.time.Instant;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a projector in {@code processed_events} are no longer needed by any
 * delivery.
 *
 * @param projector the projector
 * @param stream the stream it reads, or null for the event store
 * @param settledBefore all events stored before this time are settled, or no longer in
 * the stream
 */
public record PruneBound(ProjectorId projector, @Nullable String stream, Instant settledBefore) {

	/**
	 * Returns the bound of a projector.
	 * @param first when the first event was stored that can still be delivered; null if
	 * there is none
	 * @param now the time before the servers were asked
	 */
	static PruneBound of(ProjectorId projector, @Nullable String stream, @Nullable Instant first, Instant now) {
		return new PruneBound(projector, stream, (first != null && first.isBefore(now)) ? first : now);
	}

}
