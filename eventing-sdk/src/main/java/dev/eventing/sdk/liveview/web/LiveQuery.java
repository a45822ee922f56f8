package dev.eventing.sdk.liveview.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The query of a request. Each {@code view} applies to the keys after it, so a stream may
 * follow keys of several views: {@code ?view=stock&key=a&key=b&view=orders&key=7}.
 */
final class LiveQuery {

	/** The tenant that the client names. The application need not believe it. */
	private static final String TENANT = "tenant";

	/** For clients that cannot send a header, and proxies that remove it. */
	static final String LAST_EVENT_ID = "lastEventId";

	/** The version that a client knows of, when it reads a state. */
	static final String VERSION = "version";

	private static final Set<String> SINGLE = Set.of(TENANT, LAST_EVENT_ID, VERSION);

	private final Set<Key> keys = new LinkedHashSet<>();

	private final Map<String, String> single = new LinkedHashMap<>();

	private @Nullable String view;

	private LiveQuery() {
	}

	/**
	 * Reads a query.
	 * @param query as it was sent, or null
	 * @throws RefusedException if it is not readable, or names no key
	 */
	static LiveQuery read(@Nullable String query) {
		LiveQuery read = new LiveQuery();
		if (query != null) {
			for (String part : query.split("&", -1)) {
				if (!part.isEmpty()) {
					int equals = part.indexOf('=');
					read.add(decode((equals < 0) ? part : part.substring(0, equals)),
							(equals < 0) ? "" : decode(part.substring(equals + 1)));
				}
			}
		}
		if (read.keys.isEmpty()) {
			throw RefusedException.invalid("The request names no key. Consider '?view=stock&key=a'.");
		}
		return read;
	}

	private static String decode(String text) {
		try {
			return URLDecoder.decode(text, StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw RefusedException.invalid("The query is not encoded for URLs. Consider 'encodeURIComponent'.");
		}
	}

	private void add(String name, String value) {
		if (name.equals("view")) {
			this.view = value;
		}
		else if (name.equals("key")) {
			if (this.view == null || this.view.isEmpty() || value.isEmpty()) {
				throw RefusedException.invalid("Each key has a view before it. Consider '?view=stock&key=a'.");
			}
			if (!this.keys.add(new Key(this.view, value))) {
				throw RefusedException.invalid("The request names a key twice. Consider naming it once.");
			}
		}
		else if (!SINGLE.contains(name)) {
			throw RefusedException
				.invalid("The request has a parameter that nothing reads. Consider 'view', 'key', " + SINGLE + ".");
		}
		else if (this.single.put(name, value) != null) {
			throw RefusedException.invalid("The request has '" + name + "' twice. Consider it once.");
		}
	}

	/** The keys, in the order of the query. */
	List<Key> keys() {
		return List.copyOf(this.keys);
	}

	@Nullable String tenant() {
		return value(TENANT);
	}

	/** A parameter that may be there once, or null. */
	@Nullable String value(String name) {
		String value = this.single.get(name);
		return (value == null || value.isEmpty()) ? null : value;
	}

	/** A key of a view. */
	record Key(String view, String key) {
	}

}
