package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/** A letter, whole or for lists, and the identity of its event. */
public sealed interface IdentifiedLetter permits DeadLetter, DeadLetterSummary {

	/** The identity of the event. */
	EventIdentity identity();

	/** The tenant of the event, or null if it is unknown. */
	default @Nullable TenantId tenantId() {
		return identity().tenantId();
	}

	/** The event's id. Derived from its place if its id or tenant is unknown. */
	default UUID eventId() {
		return identity().eventId();
	}

	/** The event's type on the wire, or null if it is unknown. */
	default @Nullable String eventType() {
		return identity().type();
	}

	/** The ordering key, or null. */
	default @Nullable String orderingKey() {
		return identity().orderingKey();
	}

}
