package dev.eventing.sdk.relay;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the log has of the relays of this node when they start: a line for each, and a
 * warning where two of them publish the same. A misspelt name in a variable of the
 * environment declares a second relay, of all events.
 */
final class RelayLines {

	private static final Logger logger = LoggerFactory.getLogger(RelayLines.class);

	private RelayLines() {
	}

	static void log(Collection<RelayOptions> relays) {
		relays.forEach((relay) -> logger.info("Relay '{}' publishes {} to subjects '{}'.", relay.name(),
				events(relay.categories()), relay.subjects()));
		List<RelayOptions> all = List.copyOf(relays);
		for (int i = 0; i < all.size(); i++) {
			for (RelayOptions other : all.subList(i + 1, all.size())) {
				compare(all.get(i), other);
			}
		}
	}

	private static void compare(RelayOptions one, RelayOptions other) {
		Set<String> both = new TreeSet<>(one.categories().isEmpty() ? other.categories() : one.categories());
		if (!one.categories().isEmpty() && !other.categories().isEmpty()) {
			both.retainAll(other.categories());
		}
		boolean all = one.categories().isEmpty() && other.categories().isEmpty();
		if ((all || !both.isEmpty()) && one.subjects().toString().equals(other.subjects().toString())) {
			logger.warn(
					"Relays '{}' and '{}' both publish {} to subjects '{}', so each event is published twice. Consider"
							+ " different categories; or one name for both, if one of the names is misspelt.",
					one.name(), other.name(), events(both), one.subjects());
		}
	}

	private static String events(Set<String> categories) {
		return categories.isEmpty() ? "all events" : "the events of the categories " + new TreeSet<>(categories);
	}

}
