package dev.eventing.sdk.idempotency;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;

/**
 * Identifies an event: its id within its tenant.
 *
 * @param tenantId the tenant it belongs to
 * @param eventId its id
 */
public record EventKey(TenantId tenantId, UUID eventId) {

	/**
	 * Uses the id only, for speed: each claim computes many hash codes, and tenants
	 * hardly ever share an id.
	 */
	@Override
	public int hashCode() {
		return this.eventId.hashCode();
	}

}
