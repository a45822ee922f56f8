package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;

/**
 * Finds a durable in another JetStream domain that has the same name, on a stream of the
 * same name. The subject of an acknowledgement names stream and durable and no domain,
 * and leaf nodes pass it on: what one application settles is settled for the other one
 * too, which may not have applied it. So the durable is asked by such a subject, with a
 * sign of progress for a sequence that no stream has. It changes nothing, and each
 * durable of the name answers. Thread-safe.
 */
final class Namesakes {

	private static final byte[] IN_PROGRESS = "+WPI".getBytes(StandardCharsets.US_ASCII);

	/** Delivery, sequences, time and pending count of a delivery that never was. */
	private static final String NEVER_DELIVERED = ".1.9007199254740991.9007199254740991.0.0";

	/** For the way to another domain, longer than that to the own one. */
	private static final Duration PATIENCE = Duration.ofMillis(250);

	private final NatsClient client;

	Namesakes(NatsClient client) {
		this.client = client;
	}

	/**
	 * Refuses a durable that exists in several domains. Asks no further if the stream has
	 * no domain.
	 * @throws JetStreamConfigurationException if another domain has one
	 * @throws IOException if JetStream does not answer
	 * @throws IllegalStateException if the connection is closed
	 */
	void requireNone(DurableSpec spec) throws IOException {
		if (hasDomain(spec.stream())
				&& isAnsweredTwice("$JS.ACK." + spec.stream() + "." + spec.name() + NEVER_DELIVERED)) {
			throw new JetStreamConfigurationException("Durable '" + spec.name() + "' of projector '" + spec.projector()
					+ "' on stream '" + spec.stream() + "' exists in another JetStream domain too. Servers cannot tell"
					+ " their acknowledgements apart, so events would be settled that are not applied. Consider another"
					+ " durableName or stream, or a leaf node that denies the import and export of '$JS.ACK."
					+ spec.stream() + ".>'.");
		}
	}

	private boolean hasDomain(String stream) throws IOException {
		try {
			Message answer = this.client.connection()
				.request(this.client.apiSubject("STREAM.INFO." + stream), null, this.client.requestTimeout());
			if (answer == null || answer.isStatusMessage()) {
				throw new IOException("JetStream did not answer.");
			}
			JsonValue said = JsonParser.parse(answer.getData());
			return JsonValueUtils.readString(said, "domain") != null;
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private boolean isAnsweredTwice(String subject) throws IOException {
		Connection connection = this.client.connection();
		String inbox = connection.createInbox();
		Subscription answers = connection.subscribe(inbox);
		try {
			connection.publish(subject, inbox, IN_PROGRESS);
			return isAnswer(answers, this.client.requestTimeout()) && isAnswer(answers, PATIENCE);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
		finally {
			answers.unsubscribe();
		}
	}

	private static IOException interrupted(InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new IOException("Interrupted while waiting for JetStream.", cause);
	}

	private static boolean isAnswer(Subscription answers, Duration wait) throws InterruptedException {
		Message answer = Subscriptions.next(answers, wait);
		return answer != null && !answer.isStatusMessage();
	}

}
