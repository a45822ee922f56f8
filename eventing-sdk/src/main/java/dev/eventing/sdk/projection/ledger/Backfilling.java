package dev.eventing.sdk.projection.ledger;

import java.time.Instant;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A backfill that is under way, as its owner finds it.
 *
 * @param request the number of its request
 * @param types the names of the types of its events
 * @param handler the handler that runs for events that the projector has claimed, too;
 * null if they are left out
 * @param range the part of the event store that it concerns
 * @param place how far it is
 * @param rate the most events that it applies in a second, or null
 * @param begunAt when it began
 */
public record Backfilling(long request, Set<String> types, @Nullable String handler, Range range, Place place,
		@Nullable Integer rate, Instant begunAt) {

	public Backfilling {
		types = Set.copyOf(types);
	}

	/** Whether it applies events that the projector has claimed, too. */
	public boolean appliesAll() {
		return this.handler != null;
	}

	/**
	 * A part of the event store.
	 *
	 * @param from events after this position are applied
	 * @param upTo the last position that is applied
	 * @param heldFrom the live generation takes no event of the types after this position
	 */
	public record Range(long from, long upTo, long heldFrom) {
	}

	/**
	 * How far it is.
	 *
	 * @param position the events up to here are settled
	 * @param handedOut handlers may have begun events up to here
	 * @param events the number of settled events up to the position
	 */
	public record Place(long position, long handedOut, long events) {
	}

}
