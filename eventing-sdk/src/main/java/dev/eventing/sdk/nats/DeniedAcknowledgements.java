package dev.eventing.sdk.nats;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements that a server denied, by durable. Nothing answers an
 * acknowledgement, so only the server's error shows that. Thread-safe.
 */
final class DeniedAcknowledgements {

	/**
	 * A subject of an acknowledgement, perhaps with domain and account: stream, durable,
	 * and five numbers.
	 */
	private static final Pattern SUBJECT = Pattern
		.compile("\"\\$JS\\.ACK\\.(?:[^.\"]+\\.[^.\"]+\\.)?([^.\"]+\\.[^.\"]+)(?:\\.\\d+){5}[.\"]");

	private final Map<String, DeniedAcknowledgement> last = new ConcurrentHashMap<>();

	/**
	 * Records an error of the server.
	 * @param shown the error, without secrets
	 * @return the part of the error that all of its kind have in common
	 */
	String record(String error, String shown) {
		Matcher subject = SUBJECT.matcher(error);
		if (!subject.find()) {
			return error;
		}
		this.last.put(subject.group(1), new DeniedAcknowledgement(System.nanoTime(), shown));
		return subject.group(1);
	}

	/** The last one of a durable; null if none was denied. */
	@Nullable DeniedAcknowledgement of(String stream, String durable) {
		return this.last.get(stream + "." + durable);
	}

}
