package dev.eventing.sdk.erasure;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;

/**
 * A request for an erasure: the stream, the actor and the reason.
 *
 * @param tenantId the tenant of the stream
 * @param streamId the stream of the event store
 * @param actor who asks for it, for the audit
 * @param reason why, for the audit; nothing that has to be erased some day
 */
public record ErasureRequest(TenantId tenantId, String streamId, String actor, String reason) {

	/**
	 * Checks that it can be audited.
	 * @throws EventingException if a text is blank
	 */
	public ErasureRequest {
		if (streamId.isBlank() || actor.isBlank() || reason.isBlank()) {
			throw new EventingException("An erasure without a stream, an actor or a reason cannot be audited. "
					+ "Consider naming all three.");
		}
	}

}
