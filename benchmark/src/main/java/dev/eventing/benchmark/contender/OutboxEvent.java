package dev.eventing.benchmark.contender;

import java.util.UUID;

/**
 * An event to be published: to {@link #SUBJECT}, with the id as the last 36 characters of
 * the header {@code Nats-Msg-Id} and the JSON as the message's data. The harness reads
 * both in the stream.
 *
 * @param id its identity
 * @param streamId whose events keep their order
 * @param version its place there, from 1
 * @param json the payload, an {@link AccountChanged}
 */
public record OutboxEvent(UUID id, String streamId, long version, String json) {

	/** Where all events are published. */
	public static final String SUBJECT = "account.acme.changed";

}
