package dev.eventing.sdk.projection.ledger;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.store.EventColumns;

/**
 * An event that a handler appends.
 *
 * @param cause the event that the handler got
 * @param n the number of the effect in the handling of that event, from 1 on
 * @param event the event to append
 */
public record Effect(Cause cause, int n, EventColumns event) {

	/**
	 * An event that has effects.
	 *
	 * @param tenantId its tenant, and that of its effects
	 * @param eventId its id
	 * @param sequence its place where it was read
	 * @param firstEffect the id of its first effect: an event with this id in the event
	 * store shows that the event was handled
	 */
	public record Cause(TenantId tenantId, UUID eventId, long sequence, UUID firstEffect) {
	}

}
