package dev.eventing.sdk.projector.scope;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.deadletter.ledger.RebuiltLetters.Decision;
import dev.eventing.sdk.deadletter.ledger.ScopeLetters;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.EditedEvent;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.feed.store.LoggedEvent;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * Finds the handlers of the events of a portion, with what operators have decided about
 * them.
 */
final class ScopeEvents {

	private final ProjectorEndpoint endpoint;

	private final EventStoreAccess store;

	private final DeliveryDecoder decoder;

	private final RebuiltLetters decided;

	private final ScopeLetters letters;

	/** Sends no query yet. */
	ScopeEvents(ProjectorEndpoint endpoint, ProjectorServices services, RebuiltLetters decided, ScopeLetters letters) {
		this.endpoint = endpoint;
		this.store = services.store();
		this.decoder = new DeliveryDecoder(endpoint, services.reader());
		this.decided = decided;
		this.letters = letters;
	}

	/**
	 * Returns the events that are applied, in their order.
	 * @throws RequestRefusedException if one cannot be
	 */
	List<RoutedEvent> taken(List<StoredEvent> page, Portion portion) {
		List<EventKey> keys = page.stream().map(ScopeEvents::key).toList();
		Map<EventKey, Decision> decisions = this.decided.decisions(keys);
		// Their letters stay open, and a redrive applies them.
		Set<EventKey> open = portion.isWindow() ? this.letters.openAmong(keys) : Set.of();
		List<RoutedEvent> taken = new ArrayList<>(page.size());
		for (StoredEvent stored : page) {
			EventKey key = key(stored);
			Decision decision = decisions.get(key);
			String subject = subjectOf(stored.event());
			if (decision != Decision.DISCARDED && !open.contains(key) && subject != null
					&& this.decoder.listensTo(subject)) {
				SourceEvent source = EditedEvent.of(new LoggedEvent(stored, subject, this.store.writer()),
						(decision == Decision.EDITED) ? this.decided.editedPayload(key) : null);
				add(taken, this.decoder.route(source), portion);
			}
		}
		return taken;
	}

	private void add(List<RoutedEvent> taken, RoutedEvent routed, Portion portion) {
		if (routed.isErased()) {
			return; // it has lost its key, too
		}
		if (routed.hasEvent() && routed.handler() == null
				&& this.endpoint.setting(ProjectorSettings::unknownType) != UnknownTypePolicy.DEAD_LETTER) {
			return;
		}
		NewerEventException newer = routed.newer();
		if (newer != null) {
			throw new RequestRefusedException(
					"This node's code cannot read " + routed.describe() + ": " + newer.getMessage());
		}
		Rejection rejection = Rejection.of(this.endpoint.id(), routed);
		if (rejection != null) {
			throw new RequestRefusedException(
					"Handlers cannot take " + routed.describe() + ": " + rejection.failure().message());
		}
		String stream = portion.stream();
		if (stream != null && !stream.equals(routed.keyInTenant())) {
			throw new RequestRefusedException("The key of the projector is not the stream id: " + routed.describe()
					+ ", is in stream '" + stream + "'. Consider a rebuild of its tenant.");
		}
		taken.add(routed);
	}

	private static EventKey key(StoredEvent stored) {
		return new EventKey(stored.event().tenantId(), stored.event().id());
	}

	/** Null if a relay could not publish it either. */
	private @Nullable String subjectOf(Event<?> event) {
		try {
			return this.store.subjects().subjectOf(event);
		}
		catch (InvalidSubjectException ex) {
			return null;
		}
	}

}
