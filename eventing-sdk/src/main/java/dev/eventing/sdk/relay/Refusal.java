package dev.eventing.sdk.relay;

import java.time.Instant;
import java.util.UUID;

/**
 * An event a relay has not published.
 *
 * @param position its position
 * @param tenantId whose event it is
 * @param streamId the stream of the event store
 * @param eventId the event
 * @param status whether it was refused, waits for a stream, waits behind such an event,
 * or is about to be tried again
 * @param reason why; never holds the payload
 * @param recordedAt since when
 */
public record Refusal(long position, String tenantId, String streamId, UUID eventId, Status status, String reason,
		Instant recordedAt) {

	/** Where the event stands. */
	public enum Status {

		/** It cannot be published as it is. */
		REFUSED,

		/**
		 * No stream of JetStream carries its subject, and it is published once one does.
		 */
		WAITING,

		/** It waits behind an event of its stream that was refused or is waiting. */
		HELD,

		/** It is published as soon as the active relay comes to it. */
		RETRY

	}

}
