package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Instant;
import java.util.Objects;

import dev.eventing.sdk.event.RawEvent;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.ApiResponse;
import io.nats.client.api.MessageGetRequest;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads single messages of streams, whatever their headers contain. The client's own
 * method throws if it cannot read the headers. If a stream allows direct gets, the
 * message's headers become headers of the answer and are mixed with those of the server.
 * Here the server returns them in the body of its answer. Thread-safe.
 */
final class StoredMessages {

	private final NatsClient client;

	StoredMessages(NatsClient client) {
		this.client = client;
	}

	/** The message with this sequence, or null if the stream does not hold it. */
	@Nullable Stored find(String stream, long sequence) throws IOException, JetStreamApiException {
		return get(stream, MessageGetRequest.forSequence(sequence));
	}

	/** The first message of a subject, which may be a filter, from a sequence on. */
	@Nullable Stored next(String stream, long from, String subject) throws IOException, JetStreamApiException {
		return get(stream, MessageGetRequest.nextForSubject(from, subject));
	}

	private @Nullable Stored get(String stream, MessageGetRequest request) throws IOException, JetStreamApiException {
		Message answer;
		try {
			answer = this.client.connection()
				.request(this.client.apiSubject("STREAM.MSG.GET." + stream), request.serialize(),
						this.client.requestTimeout());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while waiting for JetStream.", ex);
		}
		catch (IllegalStateException ex) {
			throw new IOException("The request could not be sent.", ex);
		}
		if (answer == null || answer.isStatusMessage()) {
			throw new IOException("JetStream did not answer.");
		}
		Answer read = new Answer(answer);
		if (read.hasError() && read.getErrorCode() == JetStreamErrors.NOT_FOUND) {
			return null;
		}
		read.throwOnHasError();
		return read.message();
	}

	/**
	 * A message of a stream.
	 *
	 * @param sequence its sequence
	 * @param storedAt when the stream stored it
	 * @param raw subject, headers and body
	 */
	record Stored(long sequence, Instant storedAt, RawEvent raw) {
	}

	/** An answer of JetStream. */
	private static final class Answer extends ApiResponse<Answer> {

		Answer(Message answer) {
			super(answer);
		}

		Stored message() throws IOException {
			JsonValue message = JsonValueUtils.readObject(this.jv, "message");
			String subject = JsonValueUtils.readString(message, "subject");
			if (subject == null) {
				throw new IOException("JetStream answers with something else.");
			}
			byte[] headers = bytes(message, "hdrs");
			RawEvent raw = new RawEvent(subject, new HeaderReader().read(headers, 0, headers.length),
					bytes(message, "data"));
			return new Stored(JsonValueUtils.readLong(message, "seq", 0),
					Objects.requireNonNull(JsonValueUtils.readDate(message, "time"), "time").toInstant(), raw);
		}

		private static byte[] bytes(JsonValue message, String name) {
			byte[] bytes = JsonValueUtils.readBase64(message, name);
			return (bytes != null) ? bytes : new byte[0];
		}

	}

}
