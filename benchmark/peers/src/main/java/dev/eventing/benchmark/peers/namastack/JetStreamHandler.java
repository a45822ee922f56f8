package dev.eventing.benchmark.peers.namastack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.PublishOptions;

import dev.eventing.benchmark.contender.OutboxEvent;

/**
 * Publishes a record and waits for JetStream to have it: when the handler returns, the
 * record is marked as completed. The event's id is the message's, so that JetStream keeps
 * out what is handled twice.
 */
final class JetStreamHandler implements OutboxTypedHandler<OutboxEvent> {

	private final JetStream jetStream;

	JetStreamHandler(JetStream jetStream) {
		this.jetStream = jetStream;
	}

	@Override
	public void handle(OutboxEvent event, OutboxRecordMetadata metadata) {
		try {
			this.jetStream.publish(OutboxEvent.SUBJECT, event.json().getBytes(StandardCharsets.UTF_8),
					PublishOptions.builder().messageId(event.id().toString()).build());
		}
		catch (IOException | JetStreamApiException ex) {
			throw new IllegalStateException("Event '" + event.id() + "' was not published; it is tried again.", ex);
		}
	}

}
