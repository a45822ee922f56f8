package dev.eventing.sdk.projector.feed.store;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.store.StoredEvent;

/** Finds the events of a page that were applied by someone else than the lanes. */
@FunctionalInterface
public interface AppliedElsewhere {

	/** The lanes apply all events. */
	AppliedElsewhere NONE = (page) -> Set.of();

	/**
	 * The positions of the events that are applied. Asked after the events were read.
	 * @param page one or more events in the order of positions. They may lack their
	 * contents.
	 */
	Set<Long> among(List<StoredEvent> page);

	/**
	 * Whether all events probably are, so that it is worth while to read them without
	 * their contents first. What {@link #among} says counts.
	 */
	default boolean isProbable() {
		return false;
	}

}
