package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

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

	/** As many other consumers are named. */
	private static final int MOST = 5;

	private WorkQueue() {
	}

	static boolean is(StreamInfo stream) {
		return stream.getConfiguration().getRetentionPolicy() == RetentionPolicy.WorkQueue;
	}

	/**
	 * Why the server refuses a durable of a work queue and what to change, or null if the
	 * error is another one.
	 * @param client asked for the consumers in its way
	 */
	static @Nullable String refusal(DurableSpec spec, Exception cause, NatsClient client) {
		if (!(cause instanceof JetStreamApiException api)) {
			return null;
		}
		String queue = "stream '" + spec.stream() + "' is a work queue, ";
		return switch (api.getApiErrorCode()) {
			case NOT_FROM_START -> queue + "which takes only consumers that start with its first message. Consider the"
					+ " deliverPolicy ALL.";
			case MULTIPLE,
					NOT_UNIQUE ->
				queue + "where " + others(spec, client) + " has events of " + spec.filterSubjects()
						+ ", and each event goes to one consumer. Consider one projector for these"
						+ " events, or a stream with the retention 'Limits'.";
			default -> null;
		};
	}

	/** The consumers with filters that overlap. */
	private static String others(DurableSpec spec, NatsClient client) {
		try {
			String names = client.management()
				.getConsumers(spec.stream())
				.stream()
				.filter((other) -> !other.getName().equals(spec.name()))
				.filter((other) -> overlaps(spec, other.getConsumerConfiguration().getFilterSubjects()))
				.map((other) -> "'" + other.getName() + "'")
				.limit(MOST)
				.collect(Collectors.joining(" or "));
			return names.isEmpty() ? "another consumer" : "consumer " + names;
		}
		catch (IOException | JetStreamApiException | IllegalStateException | NatsUnavailableException ex) {
			return "another consumer";
		}
	}

	private static boolean overlaps(DurableSpec spec, @Nullable List<String> filters) {
		return filters == null || filters.isEmpty() || filters.stream()
			.anyMatch(
					(filter) -> spec.filterSubjects().stream().anyMatch((own) -> SubjectFilters.overlap(own, filter)));
	}

}
