package dev.eventing.sdk.test.server;

import java.io.IOException;

/** A source of nats-server programs. */
interface NatsServerSource {

	/** The name of the place in error messages. */
	String place();

	/**
	 * Searches this source.
	 * @param line the required line
	 * @return a server of that line
	 * @throws IOException if there is none; the message has the reason
	 */
	NatsServerBinary find(NatsServerLine line) throws IOException;

}
