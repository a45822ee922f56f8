package dev.eventing.sdk.projector.transaction;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a projector in {@code processed_events}.
 *
 * @param projector the projector's name
 * @param processedEvents the events that each projector has applied
 */
public record LedgerClaims(ProjectorId projector, ProcessedEvents processedEvents) implements Claims {

	@Override
	public List<RoutedEvent> unsettled(List<RoutedEvent> events) {
		return events;
	}

	@Override
	public Set<EventKey> claim(Map<EventKey, @Nullable Integer> events) {
		return this.processedEvents.claim(this.projector, events);
	}

	@Override
	public Set<EventKey> differing(Map<EventKey, @Nullable Integer> digests) {
		return this.processedEvents.differing(this.projector, digests);
	}

	@Override
	public void unclaim(Collection<EventKey> events) {
		this.processedEvents.unclaim(this.projector, events);
	}

	@Override
	public void giveUp(Collection<EventKey> events) {
		// an event without a claim is not applied
	}

}
