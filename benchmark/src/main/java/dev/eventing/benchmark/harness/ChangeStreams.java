package dev.eventing.benchmark.harness;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.handwritten.PublishWindow;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;

/**
 * JetStream streams of account changes, as the SDK publishes them. Each is filled when it
 * is first asked for and kept for the run: projectors only read.
 */
final class ChangeStreams {

	private static final int WINDOW = 4_000;

	private static final TenantId TENANT = TenantId.of(AccountChange.TENANT);

	private final Connection connection;

	private final EventWriter writer = new EventWriter(EventJson.mapper());

	private final Set<String> filled = new HashSet<>();

	ChangeStreams(Connection connection) {
		this.connection = connection;
	}

	/** The name of the stream that holds these changes. */
	String of(AccountChanges changes) throws Exception {
		String stream = "changes" + (changes.isTimeOrdered() ? "" : "-v4") + "-" + changes.events();
		if (this.filled.add(stream)) {
			this.connection.jetStreamManagement()
				.addStream(StreamConfiguration.builder().name(stream).subjects(subject(stream)).build());
			fill(stream, changes);
		}
		return stream;
	}

	/** A projector's subject; the second token is the tenant. */
	static String subject(String stream) {
		return stream + ".*." + AccountChanged.TYPE;
	}

	private void fill(String stream, AccountChanges changes) throws Exception {
		String subject = subject(stream).replace("*", AccountChange.TENANT);
		PublishWindow window = new PublishWindow(this.connection.jetStream(), WINDOW);
		for (AccountChange change : changes) {
			window.publish(message(subject, change));
		}
		window.drain();
	}

	private Message message(String subject, AccountChange change) {
		Event<AccountChanged> event = Event.builder(TENANT, change.payload())
			.id(change.id())
			.streamId(change.streamId())
			.streamVersion(change.version())
			.build();
		RawEvent raw = this.writer.write(subject, event);
		Headers headers = new Headers();
		raw.headers().toMap().forEach((name, values) -> headers.add(name, values));
		return NatsMessage.builder().subject(subject).headers(headers).data(raw.payload()).build();
	}

	/** Deletes what read the stream. */
	void forgetConsumers(String stream) throws Exception {
		JetStreamManagement management = this.connection.jetStreamManagement();
		List<String> consumers = management.getConsumerNames(stream);
		for (String consumer : consumers) {
			management.deleteConsumer(stream, consumer);
		}
	}

}
