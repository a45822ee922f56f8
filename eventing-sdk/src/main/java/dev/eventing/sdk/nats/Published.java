package dev.eventing.sdk.nats;

import io.nats.client.api.PublishAck;

/**
 * The stream's confirmation of a published event.
 *
 * @param stream the stream that has the event
 * @param sequence its sequence there
 * @param duplicate whether the stream had it already under the same message id
 */
public record Published(String stream, long sequence, boolean duplicate) {

	/**
	 * @throws UnstoredException if the stream does not have the event
	 */
	static Published of(PublishAck ack) throws UnstoredException {
		return new Published(ack.getStream(), ack.getSeqno(), ack.isDuplicate()).orThrow();
	}

	/**
	 * @throws UnstoredException if the stream does not have the event
	 */
	Published orThrow() throws UnstoredException {
		if (this.sequence == 0) {
			throw new UnstoredException(this.stream);
		}
		return this;
	}

}
