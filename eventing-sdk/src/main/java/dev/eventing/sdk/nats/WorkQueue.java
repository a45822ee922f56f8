package dev.eventing.sdk.nats;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import org.jspecify.annotations.Nullable;

/**
 * A stream with the retention {@code WorkQueue}. It deletes a message as soon as its one
 * consumer has settled it, and takes only consumers that start with its first message.
 */
final class WorkQueue {

	/** Two consumers without filters. */
	private static final int MULTIPLE = 10099;

	/** Two consumers with filters that overlap. */
	private static final int NOT_UNIQUE = 10100;

	/** A consumer that does not start with the first message. */
	private static final int NOT_FROM_START = 10101;

	private WorkQueue() {
	}

	static boolean is(StreamInfo stream) {
		return stream.getConfiguration().getRetentionPolicy() == RetentionPolicy.WorkQueue;
	}

	/**
	 * Why the server refuses a durable of a work queue and what to change, or null if the
	 * error is another one.
	 */
	static @Nullable String refusal(DurableSpec spec, Exception cause) {
		if (!(cause instanceof JetStreamApiException api)) {
			return null;
		}
		String queue = "stream '" + spec.stream() + "' is a work queue, ";
		return switch (api.getApiErrorCode()) {
			case NOT_FROM_START -> queue + "which takes only consumers that start with its first message. Consider the"
					+ " deliverPolicy ALL.";
			case MULTIPLE, NOT_UNIQUE -> queue + "where another consumer has events of " + spec.filterSubjects()
					+ ", and each event goes to one consumer. Consider one projector for these events, or a stream"
					+ " with the retention 'Limits'.";
			default -> null;
		};
	}

}
