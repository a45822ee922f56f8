package dev.eventing.sdk.relay;

import java.time.Instant;
import java.util.UUID;

/**
 * An event that a relay has not published.
 *
 * @param position its position
 * @param tenantId the event's tenant
 * @param streamId the stream of the event store
 * @param eventId the event
 * @param status whether it was refused, waits for a stream, is held because of such an
 * event, or is to be retried
 * @param reason why; never holds the payload
 * @param recordedAt when this was recorded
 */
public record Refusal(long position, String tenantId, String streamId, UUID eventId, Status status, String reason,
		Instant recordedAt) {

	/** The state of an unpublished event. */
	public enum Status {

		/** It cannot be published. */
		REFUSED,

		/**
		 * No stream of JetStream carries its subject, or its stream or subject takes no
		 * events now. It is published once one does.
		 */
		WAITING,

		/**
		 * It is held because an earlier event of its stream was refused or is waiting.
		 */
		HELD,

		/** The active relay publishes it again as soon as possible. */
		RETRY

	}

}
