package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Looks for filters that match no message of a stream, although it has others that begin
 * like them: one of the two may be misspelt. Thread-safe.
 */
public final class UnmatchedSubjects {

	private final StoredMessages messages;

	public UnmatchedSubjects(NatsClient client) {
		this.messages = new StoredMessages(client);
	}

	/**
	 * Returns such filters, each with a subject that the stream has.
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if the server refuses to
	 */
	public Map<String, String> find(String stream, Collection<String> filters) {
		Map<String, String> unmatched = new TreeMap<>();
		return JetStreamErrors.answer("The subjects of stream '" + stream + "' cannot be looked up", () -> {
			for (String filter : filters) {
				String similar = similar(filter);
				StoredMessages.Stored other = (similar != null && this.messages.next(stream, 1, filter) == null)
						? this.messages.next(stream, 1, similar) : null;
				if (other != null) {
					unmatched.put(filter, other.raw().subject());
				}
			}
			return unmatched;
		});
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

}
