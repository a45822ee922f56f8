package dev.eventing.sdk.projector.inline;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventReader;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.InlineProjectionException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.feed.store.LoggedEvent;
import dev.eventing.sdk.store.StoredEvent;
import org.jspecify.annotations.Nullable;

/** Finds the handlers of stored events, as the feed of a log does. Thread-safe. */
final class InlineEvents {

	private final ProjectorEndpoint endpoint;

	private final EventStoreAccess store;

	private final DeliveryDecoder decoder;

	InlineEvents(ProjectorEndpoint endpoint, EventReader reader, EventStoreAccess store) {
		this.endpoint = endpoint;
		this.store = store;
		this.decoder = new DeliveryDecoder(endpoint, reader);
	}

	/**
	 * Returns the events that a handler takes, in their order.
	 * @throws InlineProjectionException if one would become a dead letter, or wait for
	 * newer code
	 */
	List<RoutedEvent> taken(List<StoredEvent> events) {
		List<RoutedEvent> taken = new ArrayList<>(events.size());
		for (StoredEvent stored : events) {
			String subject = subjectOf(stored.event());
			if (subject != null && this.decoder.listensTo(subject)) {
				RoutedEvent routed = this.decoder.route(new LoggedEvent(stored, subject, this.store.writer()));
				if (isTaken(stored.event(), routed)) {
					taken.add(routed);
				}
			}
		}
		return taken;
	}

	/** Whether a handler takes events of its kind. */
	boolean isHandled(StoredEvent stored) {
		String subject = subjectOf(stored.event());
		return subject != null && this.endpoint.handlerOf(stored.event().type(), subject) != null;
	}

	/** As the other method, for the handlers of other code. */
	boolean isHandledBy(StoredEvent stored, InlineTypes handled) {
		String subject = subjectOf(stored.event());
		return subject != null && handled.has(subject, stored.event().type());
	}

	/** Not if no handler takes its type, an upcaster drops it, or it was erased. */
	private boolean isTaken(Event<?> event, RoutedEvent routed) {
		if (routed.isErased()) {
			return false;
		}
		if (routed.hasEvent() && routed.handler() == null
				&& this.endpoint.setting(ProjectorSettings::unknownType) != UnknownTypePolicy.DEAD_LETTER) {
			return false;
		}
		NewerEventException newer = routed.newer();
		if (newer != null) {
			throw new InlineProjectionException(this.endpoint.name(), event, String.valueOf(newer.getMessage()), newer);
		}
		Rejection rejection = Rejection.of(this.endpoint.id(), routed);
		if (rejection != null) {
			String message = rejection.failure().message();
			throw new InlineProjectionException(this.endpoint.name(), event,
					(message != null) ? message : rejection.failure().errorClass(), null);
		}
		return !routed.isDropped();
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
