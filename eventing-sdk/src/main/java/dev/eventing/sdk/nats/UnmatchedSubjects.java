package dev.eventing.sdk.nats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.eventing.sdk.event.NearestName;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.api.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Looks for filters that match no message of a stream, although it has others that begin
 * like them: one of the two may be misspelt. Thread-safe.
 */
public final class UnmatchedSubjects {

	/**
	 * Of a stream with more subjects, only the first one that begins alike is looked at.
	 */
	private static final int MOST_SUBJECTS = 10_000;

	private final NatsClient client;

	private final StoredMessages messages;

	public UnmatchedSubjects(NatsClient client) {
		this.client = client;
		this.messages = new StoredMessages(client);
	}

	/**
	 * Returns such filters in their natural order.
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server refuses to
	 */
	public List<Unmatched> find(String stream, Collection<String> filters) {
		return JetStreamErrors.answer("The subjects of stream '" + stream + "' cannot be looked up", () -> {
			List<Unmatched> unmatched = new ArrayList<>();
			Map<String, List<String>> known = new HashMap<>();
			for (String filter : new TreeSet<>(filters)) {
				String similar = similar(filter);
				if (similar != null && this.messages.next(stream, 1, filter) == null) {
					List<String> others = known.get(similar);
					if (others == null) {
						others = subjects(stream, similar);
						known.put(similar, others);
					}
					if (!others.isEmpty()) {
						unmatched.add(unmatched(filter, others, filters));
					}
				}
			}
			return unmatched;
		});
	}

	/** The subjects in a stream that match a filter, in their natural order. */
	private List<String> subjects(String stream, String filter) throws IOException, JetStreamApiException {
		JetStreamManagement management = this.client.management();
		if (management.getStreamInfo(stream).getStreamState().getSubjectCount() > MOST_SUBJECTS) {
			StoredMessages.Stored first = this.messages.next(stream, 1, filter);
			return (first != null) ? List.of(first.raw().subject()) : List.of();
		}
		return management.getStreamInfo(stream, StreamInfoOptions.filterSubjects(filter))
			.getStreamState()
			.getSubjects()
			.stream()
			.map(Subject::getName)
			.sorted()
			.toList();
	}

	/**
	 * What may be meant by a filter. A subject that another filter matches is meant by
	 * that one.
	 */
	static Unmatched unmatched(String filter, List<String> subjects, Collection<String> filters) {
		return subjects.stream()
			.filter((subject) -> isNear(filter, subject)
					&& filters.stream().noneMatch((other) -> SubjectFilters.covers(other, subject)))
			.findFirst()
			.map((subject) -> new Unmatched(filter, subject, true))
			.orElseGet(() -> new Unmatched(filter, subjects.get(0), false));
	}

	/**
	 * Whether a filter that does not match the subject does so but for a typing error, or
	 * but for the number of tokens before the last one.
	 */
	static boolean isNear(String filter, String subject) {
		List<String> wanted = Arrays.asList(filter.split("\\."));
		List<String> found = Arrays.asList(subject.split("\\."));
		boolean open = wanted.get(wanted.size() - 1).equals(">");
		int compared = open ? wanted.size() - 1 : wanted.size();
		if (open ? found.size() <= compared : found.size() != compared) {
			return !open && wanted.get(compared - 1).equals(found.get(found.size() - 1));
		}
		for (int token = 0; token < compared; token++) {
			String name = wanted.get(token);
			if (!name.equals("*") && !name.equals(found.get(token))
					&& !NearestName.isMisspelt(name, found.get(token))) {
				return false;
			}
		}
		return true;
	}

	/** What begins like a filter, up to its first wildcard; null if nothing precedes. */
	static @Nullable String similar(String filter) {
		List<String> tokens = Arrays.asList(filter.split("\\."));
		List<String> known = new ArrayList<>();
		for (String token : tokens.subList(0, tokens.size() - 1)) {
			if (token.equals("*")) {
				break;
			}
			known.add(token);
		}
		return known.isEmpty() ? null : String.join(".", known) + ".>";
	}

	/**
	 * A filter that matches no message of a stream.
	 *
	 * @param filter the filter
	 * @param other a subject in the stream that begins like it
	 * @param near whether the filter was probably meant to match the other subject
	 */
	public record Unmatched(String filter, String other, boolean near) {
	}

}
