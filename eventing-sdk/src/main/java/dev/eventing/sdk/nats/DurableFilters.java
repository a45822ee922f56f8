package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.RetentionPolicy;

/**
 * Chooses the filters of a durable. Servers before 2.12.5 refuse filters that overlap.
 * There, one filter can take their place that matches more than both. Only a stream that
 * keeps settled messages allows that: the durable settles the messages of others, too.
 */
final class DurableFilters {

	/** Two filters of one consumer overlap. */
	private static final int OVERLAPPING = 10138;

	private DurableFilters() {
	}

	/** The filters that match what the projector wants, and nothing else. */
	static Set<String> exact(DurableSpec spec) {
		return SubjectFilters.minimal(spec.filterSubjects());
	}

	/** Filters that every server takes, and which may match more. */
	static Set<String> wider(DurableSpec spec) {
		return SubjectFilters.disjoint(spec.filterSubjects());
	}

	/**
	 * Makes requests with exact filters. If the server refuses these, makes them again
	 * with wider ones.
	 * @throws OverlappingFiltersException if the stream does not allow wider ones
	 */
	static <T> T choose(JetStreamManagement management, DurableSpec spec, Requests<T> requests)
			throws IOException, JetStreamApiException {
		try {
			return requests.send(spec.withFilterSubjects(exact(spec)));
		}
		catch (JetStreamApiException ex) {
			if (ex.getApiErrorCode() != OVERLAPPING) {
				throw ex;
			}
		}
		requireLimits(spec, management.getStreamInfo(spec.stream()).getConfiguration().getRetentionPolicy());
		return requests.send(spec.withFilterSubjects(wider(spec)));
	}

	private static void requireLimits(DurableSpec spec, RetentionPolicy retention) {
		if (retention == RetentionPolicy.Limits) {
			return;
		}
		Set<String> overlapping = overlapping(exact(spec));
		throw new OverlappingFiltersException(
				"Durable '" + spec.name() + "' of projector '" + spec.projector() + "' on stream '" + spec.stream()
						+ "' cannot have filters that overlap: '" + String.join("', '", overlapping)
						+ "'. This server refuses them, and a filter that covers them, as in '"
						+ String.join("', '", wider(spec))
						+ "', would take the messages of other applications out of a stream with the retention '"
						+ retention.name() + "'. Consider subjects that do not overlap, nats-server 2.12.5 or"
						+ " later, or a stream with the retention 'Limits'.",
				overlapping);
	}

	private static Set<String> overlapping(Set<String> filters) {
		Set<String> overlapping = new LinkedHashSet<>();
		for (String filter : filters) {
			if (filters.stream().anyMatch((other) -> !other.equals(filter) && SubjectFilters.overlap(other, filter))) {
				overlapping.add(filter);
			}
		}
		return overlapping;
	}

	/**
	 * Requests that belong together, and change nothing if the server refuses the
	 * filters.
	 *
	 * @param <T> what is made of the answers
	 */
	interface Requests<T> {

		/** Sends them for a durable that gets exactly the filters of this one. */
		T send(DurableSpec filtered) throws IOException, JetStreamApiException;

	}

}
