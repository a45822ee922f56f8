package dev.eventing.sdk.nats;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;

/** The size of a message that a server accepts. It closes the connection for more. */
final class PayloadLimit {

	private PayloadLimit() {
	}

	/**
	 * Refuses what is larger than the server of the connection accepts.
	 * @throws EventRefusedException if the message is
	 */
	static void require(Connection connection, Message message) {
		Headers headers = message.getHeaders();
		long size = ((headers != null) ? (long) headers.serializedLength() : 0) + message.getData().length;
		long largest = connection.getMaxPayload();
		if (largest > 0 && size > largest) {
			throw new EventRefusedException("The event for subject '" + message.getSubject() + "' has " + size
					+ " bytes with its headers, and the server accepts " + largest
					+ ". Consider smaller events, or a larger max_payload of the server.", null);
		}
	}

}
