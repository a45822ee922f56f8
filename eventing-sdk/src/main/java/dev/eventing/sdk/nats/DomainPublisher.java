package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to the chosen JetStream domain. A stream of another domain may carry the
 * subject too, such as one of a leaf node, and answer first; the client's own methods
 * would take that for the confirmation. Thread-safe.
 */
final class DomainPublisher {

	private final NatsClient client;

	private @Nullable Connection connection;

	private @Nullable Confirmations confirmations;

	DomainPublisher(NatsClient client) {
		this.client = client;
	}

	/**
	 * Publishes without waiting.
	 * @return as {@link Confirmations#publish}
	 * @throws NatsUnavailableException if no server answers in time
	 * @throws IllegalStateException if the client cannot send
	 */
	CompletableFuture<Published> publishAsync(Message message) {
		return confirmations().publish(message);
	}

	/**
	 * Publishes, and waits for the confirmation.
	 * @throws IOException if none comes in time
	 * @throws JetStreamApiException if the stream refuses the message
	 */
	Published publish(Message message) throws IOException, JetStreamApiException {
		try {
			return publishAsync(message).get(this.client.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof StreamAnswerException answer) {
				throw answer;
			}
			if (ex.getCause() instanceof JetStreamApiException refused) {
				throw refused;
			}
			throw new IOException("JetStream did not confirm the message.", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new IOException("JetStream domain '" + this.client.jetStreamDomain() + "' did not answer in time.",
					ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while waiting for JetStream.", ex);
		}
	}

	private synchronized Confirmations confirmations() {
		Connection open = this.client.connection();
		Confirmations current = this.confirmations;
		if (current == null || this.connection != open) {
			if (current != null) {
				current.close();
			}
			current = new Confirmations(open, this.client.jetStreamDomain());
			this.connection = open;
			this.confirmations = current;
		}
		return current;
	}

}
