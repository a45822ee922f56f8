package dev.eventing.benchmark.handwritten;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.sdk.event.EventBuilder;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;

/**
 * No relay but what bounds all of them: publishes messages that lie ready in memory, with
 * message ids, on one connection.
 *
 * @param envelope whether the messages have the headers that the SDK's relay writes, else
 * a message id alone
 */
public record BarePublish(boolean envelope) implements RelayContender {

	private static final int WINDOW = 4_000;

	@Override
	public String id() {
		return this.envelope ? "bare-publish" : "bare-publish-ids";
	}

	@Override
	public String title() {
		return "by hand: bare publishAsync loop, from memory" + (this.envelope ? "" : ", no header but the id");
	}

	@Override
	public Side side() {
		return Side.HANDWRITTEN;
	}

	@Override
	public Publication prepare(RelayRound round) throws Exception {
		return new Run(Nats.connect(round.natsUrl()), this.envelope);
	}

	private static final class Run implements Publication, Runnable {

		private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

		private final Connection connection;

		private final Thread publisher = new Thread(this, "bare-publish");

		private final boolean envelope;

		Run(Connection connection, boolean envelope) {
			this.connection = connection;
			this.envelope = envelope;
		}

		@Override
		public void append(List<OutboxEvent> events) {
			events.forEach((event) -> this.messages.add(message(event)));
		}

		@Override
		public void start() {
			this.publisher.start();
		}

		@Override
		public void run() {
			try {
				PublishWindow window = new PublishWindow(this.connection.jetStream(), WINDOW);
				while (true) {
					window.publish(this.messages.take());
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			catch (Exception ex) {
				throw new IllegalStateException("The loop cannot publish.", ex);
			}
		}

		private Message message(OutboxEvent event) {
			Headers headers = new Headers();
			headers.add("Nats-Msg-Id", AccountChange.TENANT + ":" + event.id());
			if (this.envelope) {
				addEnvelope(headers, event);
			}
			return NatsMessage.builder().subject(OutboxEvent.SUBJECT).headers(headers).data(event.json()).build();
		}

		private static void addEnvelope(Headers headers, OutboxEvent event) {
			headers.add("Content-Type", "application/json");
			headers.add("ce-tenantid", AccountChange.TENANT);
			headers.add("ce-specversion", "1.0");
			headers.add("ce-id", event.id().toString());
			headers.add("ce-type", AccountChanged.TYPE);
			headers.add("ce-source", EventBuilder.DEFAULT_SOURCE);
			headers.add("ce-time", "2026-01-01T00:00:00.000001Z");
			headers.add("ce-subject", event.streamId());
			headers.add("ce-sequence", Long.toString(event.version()));
			headers.add("Eventing-Position", "100000");
		}

		@Override
		public void close() {
			this.publisher.interrupt();
			try {
				this.publisher.join();
				this.connection.close();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
