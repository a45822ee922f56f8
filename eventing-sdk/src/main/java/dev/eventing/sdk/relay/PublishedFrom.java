package dev.eventing.sdk.relay;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import dev.eventing.sdk.event.EventSubjects;
import dev.eventing.sdk.store.StoredEvent;

/**
 * The categories that a relay publishes, each with the position up to which the relay has
 * passed over its events: it had read them when the category was added. The position is 0
 * if it has passed over none. Immutable.
 *
 * @param positions by category; empty if the relay has not begun yet
 */
record PublishedFrom(Map<String, Long> positions) {

	/** All categories that have no position. No category has this name. */
	static final String OTHERS = "";

	/** Of a relay that has not begun yet. */
	static final PublishedFrom NOTHING = new PublishedFrom(Map.of());

	PublishedFrom {
		positions = Collections.unmodifiableMap(new TreeMap<>(positions));
	}

	/**
	 * The same when the relay begins.
	 * @param categories the categories that it publishes now; empty for all
	 * @param read the position up to which it has read
	 */
	PublishedFrom with(Set<String> categories, long read) {
		Map<String, Long> next = new TreeMap<>();
		categories.forEach((category) -> next.put(category, gap(category, read)));
		if (categories.isEmpty()) {
			long others = gap(OTHERS, read);
			this.positions.keySet()
				.stream()
				.filter((category) -> gap(category, read) < others)
				.forEach((category) -> next.put(category, gap(category, read)));
			next.put(OTHERS, others);
		}
		return new PublishedFrom(next);
	}

	/** A relay whose position was set back reads again what it has passed over. */
	private long gap(String category, long read) {
		long added = this.positions.isEmpty() ? 0 : read;
		return Math.min(read, this.positions.getOrDefault(category, this.positions.getOrDefault(OTHERS, added)));
	}

	/**
	 * The same after an operator has acted.
	 * @param known the gaps whose events are published now, or not needed
	 */
	PublishedFrom closed(PublishedFrom known) {
		Map<String, Long> next = new TreeMap<>(this.positions);
		next.replaceAll((category, end) -> (end <= known.positions.getOrDefault(category, 0L)) ? 0L : end);
		return Objects.equals(next.get(OTHERS), 0L) ? new PublishedFrom(Map.of(OTHERS, 0L)) : new PublishedFrom(next);
	}

	/** Whether events may have been passed over. */
	boolean hasGaps() {
		return end() > 0;
	}

	/** The position after which no event was passed over. */
	long end() {
		return this.positions.values().stream().mapToLong(Long::longValue).max().orElse(0);
	}

	/** Whether the event was passed over. */
	boolean isGap(StoredEvent stored) {
		String category = EventSubjects.categoryOf(Objects.requireNonNull(stored.event().streamId()));
		return stored.position() <= this.positions.getOrDefault(category, this.positions.getOrDefault(OTHERS, 0L));
	}

	/** The categories whose events were passed over, as text for operators. */
	String describeGaps() {
		if (this.positions.getOrDefault(OTHERS, 0L) == 0) {
			return "the categories " + names(true);
		}
		List<String> complete = names(false);
		return complete.isEmpty() ? "all categories" : "all categories but " + complete;
	}

	private List<String> names(boolean gaps) {
		return this.positions.entrySet()
			.stream()
			.filter((entry) -> (entry.getValue() > 0) == gaps)
			.map(Map.Entry::getKey)
			.toList();
	}

}
