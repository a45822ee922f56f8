package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * The headers of an event: several values per name, in order. Names keep their case, and
 * a search ignores it, because NATS preserves case and the CloudEvents binding ignores
 * it. Immutable.
 */
public final class EventHeaders {

	/** The name of the one header that replaces headers which cannot be read. */
	public static final String MALFORMED = "Eventing-Malformed-Headers";

	private static final EventHeaders EMPTY = new EventHeaders(new String[0]);

	private static final String MALFORMED_BECAUSE = "Eventing-Malformed-Because";

	/**
	 * Each name, followed by its value. An event has few headers, so a linear search is
	 * faster than a tree or a hash.
	 */
	private final String[] lines;

	private EventHeaders(String[] lines) {
		this.lines = lines;
	}

	public static EventHeaders empty() {
		return EMPTY;
	}

	public static EventHeaders of(Map<String, List<String>> headers) {
		Builder builder = builder();
		headers.forEach(builder::addAll);
		return builder.build();
	}

	/**
	 * Creates headers from alternating names and values, in their order.
	 * @param lines not copied; the caller must not change them afterwards
	 */
	public static EventHeaders ofLines(String[] lines) {
		return (lines.length > 0) ? new EventHeaders(lines) : EMPTY;
	}

	/**
	 * Replaces headers that cannot be read: the header {@value #MALFORMED} holds their
	 * bytes in Base64, so that nothing is lost where the event is stored.
	 * @param block the bytes as received
	 * @param why what is wrong with them, without any of their content
	 */
	public static EventHeaders malformed(byte[] block, String why) {
		return new EventHeaders(
				new String[] { MALFORMED, Base64.getEncoder().encodeToString(block), MALFORMED_BECAUSE, why });
	}

	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Why the original headers cannot be read, or null if these are the original headers.
	 */
	@Nullable String malformation() {
		if (this.lines.length == 0 || !this.lines[0].equals(MALFORMED)) {
			return null;
		}
		String why = first(MALFORMED_BECAUSE);
		return (why != null) ? why : "nothing is known of them";
	}

	/** The first value of this name in any case, or null. */
	public @Nullable String first(String name) {
		for (int i = 0; i < this.lines.length; i += 2) {
			if (this.lines[i].equalsIgnoreCase(name)) {
				return this.lines[i + 1];
			}
		}
		return null;
	}

	/** Whether there is a value of exactly this name: its case matters. */
	boolean contains(String name) {
		for (int i = 0; i < this.lines.length; i += 2) {
			if (this.lines[i].equals(name)) {
				return true;
			}
		}
		return false;
	}

	/** All values of this name in any case; empty if there is none. */
	public List<String> all(String name) {
		List<String> all = List.of();
		for (int i = 0; i < this.lines.length; i += 2) {
			if (this.lines[i].equalsIgnoreCase(name)) {
				String value = this.lines[i + 1];
				all = all.isEmpty() ? List.of(value) : with(all, value);
			}
		}
		return all;
	}

	private static List<String> with(List<String> values, String further) {
		List<String> all = new ArrayList<>(values);
		all.add(further);
		return Collections.unmodifiableList(all);
	}

	/** The names, each in the case of its first occurrence. */
	public Set<String> names() {
		return Collections.unmodifiableSet(byName().keySet());
	}

	/**
	 * The number of characters of all names and values, which is about their bytes on the
	 * wire.
	 */
	public int size() {
		int size = 0;
		for (String text : this.lines) {
			size += text.length();
		}
		return size;
	}

	public boolean isEmpty() {
		return this.lines.length == 0;
	}

	/** The number of values of all names. */
	int count() {
		return this.lines.length / 2;
	}

	/** The name of the value with this index. */
	String name(int index) {
		return this.lines[2 * index];
	}

	/** The value with this index, in order. */
	String value(int index) {
		return this.lines[2 * index + 1];
	}

	/** Calls the action with each name and value, in order. */
	public void forEach(BiConsumer<String, String> action) {
		for (int i = 0; i < this.lines.length; i += 2) {
			action.accept(this.lines[i], this.lines[i + 1]);
		}
	}

	/** A copy as a plain map, for storing and for other libraries. */
	public Map<String, List<String>> toMap() {
		Map<String, List<String>> map = new LinkedHashMap<>();
		byName().forEach((name, values) -> map.put(name, List.copyOf(values)));
		return map;
	}

	private Map<String, List<String>> byName() {
		Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		forEach((name, value) -> values.computeIfAbsent(name, (each) -> new ArrayList<>()).add(value));
		return values;
	}

	/** A builder that starts with these headers. */
	public Builder toBuilder() {
		Builder builder = builder();
		builder.lines.addAll(Arrays.asList(this.lines));
		return builder;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EventHeaders headers && lowerCased().equals(headers.lowerCased());
	}

	@Override
	public int hashCode() {
		return lowerCased().hashCode();
	}

	private Map<String, List<String>> lowerCased() {
		Map<String, List<String>> lower = new LinkedHashMap<>();
		byName().forEach((name, all) -> lower.put(name.toLowerCase(Locale.ROOT), all));
		return lower;
	}

	/** Shows names only: values may be confidential. */
	@Override
	public String toString() {
		return "EventHeaders" + names().stream().map(Quoted::plain).toList();
	}

	/** Collects headers; not thread-safe. */
	public static final class Builder {

		/** A little more than an event usually needs. */
		private final List<String> lines = new ArrayList<>(32);

		private Builder() {
		}

		/** Adds a value after the existing values of this name. */
		public Builder add(String name, String value) {
			this.lines.add(Objects.requireNonNull(name, "name"));
			this.lines.add(Objects.requireNonNull(value, name));
			return this;
		}

		/** Adds values, in their order, after the existing values of this name. */
		public Builder addAll(String name, List<String> values) {
			// By index: an iterator for each header of each event took a fifth of the
			// time.
			for (int i = 0; i < values.size(); i++) {
				add(name, values.get(i));
			}
			return this;
		}

		/** Replaces all values of this name by this value; null removes the name. */
		public Builder set(String name, @Nullable String value) {
			for (int i = this.lines.size() - 2; i >= 0; i -= 2) {
				if (this.lines.get(i).equalsIgnoreCase(name)) {
					this.lines.subList(i, i + 2).clear();
				}
			}
			return (value != null) ? add(name, value) : this;
		}

		public EventHeaders build() {
			return this.lines.isEmpty() ? EMPTY : new EventHeaders(this.lines.toArray(String[]::new));
		}

	}

}
