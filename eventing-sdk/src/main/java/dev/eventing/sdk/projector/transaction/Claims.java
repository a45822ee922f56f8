package dev.eventing.sdk.projector.transaction;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;

/**
 * How a projector applies each event once. Every method runs in the caller's transaction.
 * Thread-safe.
 */
public interface Claims {

	/**
	 * Leaves out events of one lane of which is known without a claim that they are
	 * settled. Waits for a transaction that is settling some of them.
	 */
	List<RoutedEvent> unsettled(List<RoutedEvent> events);

	/**
	 * Claims events before they are applied in this transaction.
	 * @param events the digest of each event's content, or null
	 * @return those to apply now; the others were applied before, or have an open letter
	 */
	Set<EventKey> claim(Map<EventKey, @Nullable Integer> events);

	/** Claims events without digests. */
	default Set<EventKey> claim(Collection<EventKey> events) {
		Map<EventKey, @Nullable Integer> keys = new LinkedHashMap<>();
		events.forEach((event) -> keys.put(event, null));
		return claim(keys);
	}

	/**
	 * The events that were applied with a different content.
	 * @param digests the digests of the events to compare
	 */
	Set<EventKey> differing(Map<EventKey, @Nullable Integer> digests);

	/** Removes the claims of this transaction. */
	void unclaim(Collection<EventKey> events);

	/**
	 * Prepares events to become letters: none of them is applied.
	 */
	void giveUp(Collection<EventKey> events);

}
