package dev.eventing.sdk.test.server;

import java.io.IOException;

/** One place a nats-server can come from. */
interface NatsServerSource {

	/** The place, as the error message names it. */
	String place();

	/**
	 * Looks there.
	 * @param line what is wanted
	 * @return a server of that line
	 * @throws IOException when there is none; the message says why
	 */
	NatsServerBinary find(NatsServerLine line) throws IOException;

}
