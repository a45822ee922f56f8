package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

import dev.eventing.sdk.EventingException;
import io.nats.client.JetStreamApiException;

/** Classifies errors of the JetStream API. {@link PublishErrors} does for publishes. */
final class JetStreamErrors {

	/** A stream or consumer does not exist. */
	static final int NOT_FOUND = 404;

	/**
	 * JetStream cannot answer now. Most errors with other codes, including 500, are
	 * caused by the request.
	 */
	private static final int UNAVAILABLE = 503;

	/** An earlier publish of the same message is still being stored. */
	private static final int BEING_STORED = 10158;

	/**
	 * Errors of a cluster of which servers are away, change their roles or are being
	 * upgraded: the server is not assigned (10007) or not the leader (10009); all servers
	 * of the stream (10118) or of the consumer (10119) are away; this server is too old
	 * for the stream (10194) or the consumer (10195). Their code is 500.
	 */
	private static final Set<Integer> CLUSTER_DISTURBED = Set.of(10007, 10009, 10118, 10119, 10194, 10195);

	/** No server can take the replicas. */
	private static final int NO_PEERS = 10005;

	/**
	 * The part of the description of {@link #NO_PEERS} if servers are away. Other reasons
	 * last: too few servers, tags, storage.
	 */
	private static final String PEER_AWAY = "peer offline";

	/** A stream's subjects overlap with those of the JetStream API. */
	private static final int OVERLAPS_WITH_API = 10052;

	private JetStreamErrors() {
	}

	/**
	 * Whether the same request may succeed later without a change. This includes
	 * exceptions of a client that cannot accept a request because its connection is
	 * closed or its send buffer is full.
	 */
	static boolean isTransient(Exception cause) {
		return !(cause instanceof JetStreamApiException api) || api.getErrorCode() == UNAVAILABLE
				|| api.getApiErrorCode() == BEING_STORED || CLUSTER_DISTURBED.contains(api.getApiErrorCode())
				|| (api.getApiErrorCode() == NO_PEERS && api.getErrorDescription().contains(PEER_AWAY));
	}

	/** Whether the client reports that nothing listens to the subject of a message. */
	static boolean isWithoutResponders(Throwable cause) {
		return cause instanceof IOException && String.valueOf(cause.getMessage()).contains("503 No Responders");
	}

	/**
	 * Whether a stream is rejected because its subjects overlap with those of JetStream.
	 */
	static boolean isOverlap(Exception cause) {
		return cause instanceof JetStreamApiException api && api.getApiErrorCode() == OVERLAPS_WITH_API;
	}

	/** The error inside the exceptions in which futures and the client wrap it. */
	static Throwable unwrapped(Throwable error) {
		Throwable cause = error;
		while ((cause instanceof CompletionException || cause instanceof ExecutionException
				|| cause.getClass() == RuntimeException.class) && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause;
	}

	/**
	 * Sends a request, and returns what it returns.
	 * @param what what cannot be done if the request fails, as a sentence without its end
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if it refuses the request
	 */
	static <T> T answer(String what, Request<T> request) {
		return answer(request, (cause) -> translate(what, cause));
	}

	/**
	 * Sends a request, and returns what it returns.
	 * @param failure the exception to throw if the request fails
	 */
	static <T> T answer(Request<T> request, Function<Exception, RuntimeException> failure) {
		try {
			return request.send();
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw failure.apply(ex);
		}
	}

	static EventingException translate(String what, Exception cause) {
		if (isTransient(cause)) {
			String why = (cause instanceof JetStreamApiException)
					? "JetStream cannot do this now: " + cause.getMessage() : "JetStream does not answer";
			return new NatsUnavailableException(what + ": " + why + ".", cause);
		}
		return new JetStreamConfigurationException(what + ": " + cause.getMessage() + ".");
	}

	/**
	 * A request to JetStream, or several that belong together.
	 *
	 * @param <T> what is made of the answer
	 */
	interface Request<T> {

		T send() throws IOException, JetStreamApiException;

	}

}
