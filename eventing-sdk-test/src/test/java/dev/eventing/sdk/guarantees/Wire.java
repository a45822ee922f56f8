package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;

/** Publishes what no publisher of the SDK would. */
final class Wire implements AutoCloseable {

	private final Connection connection;

	Wire(String url) {
		try {
			this.connection = Nats.connect(url);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	void publish(String subject, Map<String, String> headers, String body) {
		Headers all = new Headers();
		headers.forEach((name, value) -> all.add(name, value));
		try {
			this.connection.jetStream()
				.publish(NatsMessage.builder()
					.subject(subject)
					.headers(all)
					.data(body.getBytes(StandardCharsets.UTF_8))
					.build());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
