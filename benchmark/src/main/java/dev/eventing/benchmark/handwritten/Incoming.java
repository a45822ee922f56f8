package dev.eventing.benchmark.handwritten;

import java.util.UUID;

import dev.eventing.benchmark.contender.AccountChanged;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message that was read.
 *
 * @param message to be acknowledged
 * @param id the event's id
 * @param tenant the event's tenant
 * @param payload what happened
 */
record Incoming(Message message, UUID id, String tenant, AccountChanged payload) {

	private static final ObjectReader PAYLOADS = JsonMapper.builder().build().readerFor(AccountChanged.class);

	static Incoming of(Message message) {
		Headers headers = message.getHeaders();
		return new Incoming(message, UUID.fromString(headers.getFirst("ce-id")), headers.getFirst("ce-tenantid"),
				PAYLOADS.readValue(message.getData()));
	}

	/** Order is kept by it. */
	static String keyOf(Message message) {
		return message.getHeaders().getFirst("ce-subject");
	}

}
