package dev.eventing.sdk.deadletter;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which event a letter is about, as far as that could be told.
 *
 * @param tenantId whose event it is, or null if that could not be told
 * @param eventId its id; for an event without a readable one, an id that is the same at
 * every delivery of it
 * @param type its type on the wire, or null if that could not be told
 * @param orderingKey what its order is kept by, or null
 */
public record EventIdentity(@Nullable TenantId tenantId, UUID eventId, @Nullable String type,
		@Nullable String orderingKey) {
}
