package dev.eventing.sdk.idempotency;

import java.util.UUID;

import dev.eventing.sdk.event.TenantId;

/**
 * What tells one event from another: its id, within its tenant.
 *
 * @param tenantId whose event it is
 * @param eventId its id
 */
public record EventKey(TenantId tenantId, UUID eventId) {

	/** That of the id alone, which hardly two tenants share: each claim asks for many. */
	@Override
	public int hashCode() {
		return this.eventId.hashCode();
	}

}
