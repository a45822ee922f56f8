package dev.eventing.sdk.relay;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.event.NearestName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * The categories of a relay of which no event is known. One of them may be misspelt: then
 * the relay publishes nothing of it, and nothing fails. The log names each once, as a
 * warning if the event store has a similar category. For the relay's thread.
 */
final class UnmetCategories {

	private static final Logger logger = LoggerFactory.getLogger(UnmetCategories.class);

	/** The maximum number of other categories that are compared. */
	private static final int MOST = 1000;

	private final String relay;

	/** The categories of all relays of the application: these are not misspelt. */
	private final Set<String> declared;

	private final Set<String> unmet;

	/** The categories that the event store has and that no relay declares. */
	private final Set<String> others = new HashSet<>();

	private final Set<String> noted = new HashSet<>();

	/** The category that was probably meant by each that the log warns of. */
	private final SortedMap<String, String> meant = new TreeMap<>();

	private boolean looked;

	private String detail = "";

	/**
	 * Does not access the database.
	 * @param declared the categories of all relays of the application
	 */
	UnmetCategories(RelayOptions options, Set<String> declared) {
		this.relay = options.name();
		this.declared = declared;
		this.unmet = new TreeSet<>(options.categories());
	}

	/**
	 * Looks which categories the event store has. Once, unless it has no event yet or
	 * {@link #forget} was called. A look that fails changes nothing.
	 */
	void look(JdbcRelayCategories table) {
		if (this.looked || this.unmet.isEmpty()) {
			return;
		}
		try {
			Set<String> newest = table.newest();
			this.looked = !newest.isEmpty();
			if (this.looked) {
				this.unmet.removeAll(newest);
				this.unmet.removeAll(stored(table));
				this.meant.keySet().retainAll(this.unmet);
				newest.forEach(this::isNew);
				compareWith(this.others);
			}
		}
		catch (DataAccessException ex) {
			logger.debug("Relay '{}': the categories of the event store are not known.", this.relay, ex);
		}
	}

	/** Those that are found in the time of a search: old events may be far away. */
	private Set<String> stored(JdbcRelayCategories table) {
		try {
			return this.unmet.isEmpty() ? Set.of() : table.stored(this.unmet);
		}
		catch (DataAccessException ex) {
			logger.debug("Relay '{}': whether {} have events is not known.", this.relay, this.unmet, ex);
			return Set.of();
		}
	}

	/** The relay has read an event of the stream. */
	void saw(String streamId) {
		if (this.unmet.isEmpty()) {
			return;
		}
		String category = EventSubjects.categoryOf(streamId);
		if (this.unmet.remove(category)) {
			this.meant.remove(category);
			describe();
		}
		else if (isNew(category)) {
			compareWith(Set.of(category));
		}
	}

	private boolean isNew(String category) {
		return !this.declared.contains(category) && this.others.size() < MOST && this.others.add(category);
	}

	/** Compares each category that is not explained yet. */
	private void compareWith(Collection<String> stored) {
		for (String category : this.unmet) {
			if (this.meant.containsKey(category)) {
				continue;
			}
			String nearest = stored.isEmpty() ? "" : NearestName.of(category, stored);
			if (!nearest.isEmpty() && NearestName.isMisspelt(category, nearest)) {
				this.meant.put(category, nearest);
				logger.warn(
						"Relay '{}' publishes category '{}', of which no event was found in the event store. It has '{}'."
								+ " Consider '{}' in eventing.relays.{}.categories.",
						this.relay, category, nearest, nearest, this.relay);
			}
			else if (this.noted.add(category)) {
				logger.info("Relay '{}' publishes category '{}', of which no event was found in the event store yet.",
						this.relay, category);
			}
		}
		describe();
	}

	private void describe() {
		this.detail = this.meant.entrySet()
			.stream()
			.map((entry) -> "No event of category '" + entry.getKey() + "' was found in the event store, which has '"
					+ entry.getValue() + "'. Consider eventing.relays." + this.relay + ".categories.")
			.collect(Collectors.joining(" "));
	}

	/** The categories that are probably misspelt; empty if there are none. */
	String detail() {
		return this.detail;
	}

	/** Another node may publish. Meanwhile this one learns of no event. */
	void forget() {
		this.looked = false;
	}

}
