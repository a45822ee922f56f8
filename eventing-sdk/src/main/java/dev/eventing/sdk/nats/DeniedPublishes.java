package dev.eventing.sdk.nats;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Passes on which publishes a server denies. Nothing answers such a publish, so only the
 * server's error shows that. Thread-safe.
 */
final class DeniedPublishes {

	private static final Pattern SUBJECT = Pattern.compile("permissions violation for publish to \"([^\"]+)\"",
			Pattern.CASE_INSENSITIVE);

	private final List<Listener> listeners = new CopyOnWriteArrayList<>();

	void add(Listener listener) {
		this.listeners.add(listener);
	}

	void remove(Listener listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Records an error of the server.
	 * @param shown the error, without secrets
	 */
	void record(String error, String shown) {
		Matcher subject = SUBJECT.matcher(error);
		if (subject.find()) {
			this.listeners.forEach((listener) -> listener.denied(subject.group(1), shown));
		}
	}

	/** Receives the subject of a denied publish, on a thread that must not be blocked. */
	interface Listener {

		void denied(String subject, String words);

	}

}
