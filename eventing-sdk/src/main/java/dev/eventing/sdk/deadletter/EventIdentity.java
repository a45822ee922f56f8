package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a letter's event, as far as it is known.
 *
 * @param tenantId the tenant of the event, or null if it is unknown
 * @param eventId its id; if its id or tenant is unknown, an id that is the same at every
 * delivery of the event
 * @param type its type on the wire, or null if it is unknown
 * @param orderingKey the key that later events wait on if its letter is open: that of the
 * projector's key expression, else that of the event; null if there is none
 */
public record EventIdentity(@Nullable TenantId tenantId, UUID eventId, @Nullable String type,
		@Nullable String orderingKey) {
}
