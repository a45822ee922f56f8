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
 * The headers of an event: several values per name, in order. Names keep the case they
 * were written in and are found in any case, because NATS preserves case and the
 * CloudEvents binding ignores it. Immutable.
 */
public final class EventHeaders {

	/** Names the one header that stands for headers which cannot be read. */
	public static final String MALFORMED = "Eventing-Malformed-Headers";

	private static final EventHeaders EMPTY = new EventHeaders(new String[0]);

	private static final String MALFORMED_BECAUSE = "Eventing-Malformed-Because";

	/**
	 * Each name and behind it its value. They are few, so a walk finds one faster than a
	 * tree or a hash would.
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
	 * Of names and values in turns, as they were written.
	 * @param lines the callee's from now on: not copied
	 */
	public static EventHeaders ofLines(String[] lines) {
		return (lines.length > 0) ? new EventHeaders(lines) : EMPTY;
	}

	/**
	 * Stands for headers that cannot be read: the header {@value #MALFORMED} holds their
	 * bytes in Base64, so that nothing is lost wherever the event is kept.
	 * @param block the bytes as they came
	 * @param why what is wrong with them; nothing of what they hold
	 */
	public static EventHeaders malformed(byte[] block, String why) {
		return new EventHeaders(
				new String[] { MALFORMED, Base64.getEncoder().encodeToString(block), MALFORMED_BECAUSE, why });
	}

	public static Builder builder() {
		return new Builder();
	}

	/** Why these stand for headers that cannot be read, or null if they do not. */
	@Nullable String malformation() {
		if (this.lines.length == 0 || !this.lines[0].equals(MALFORMED)) {
			return null;
		}
		String why = first(MALFORMED_BECAUSE);
		return (why != null) ? why : "nothing is known of them";
	}

	/** The first value under this name in any case, or null. */
	public @Nullable String first(String name) {
		for (int i = 0; i < this.lines.length; i += 2) {
			if (this.lines[i].equalsIgnoreCase(name)) {
				return this.lines[i + 1];
			}
		}
		return null;
	}

	/** All values under this name in any case; empty when there is none. */
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

	/** The names, in the case they were first written in. */
	public Set<String> names() {
		return Collections.unmodifiableSet(byName().keySet());
	}

	/** How many characters all names and values have: about their bytes on the wire. */
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

	/** Every value with the name it was written under, in the order they were written. */
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

		/** As many as an event has, and some. */
		private final List<String> lines = new ArrayList<>(32);

		private Builder() {
		}

		/** Adds a value behind those already under this name. */
		public Builder add(String name, String value) {
			this.lines.add(Objects.requireNonNull(name, "name"));
			this.lines.add(Objects.requireNonNull(value, name));
			return this;
		}

		/** Adds values, in their order, behind those already under this name. */
		public Builder addAll(String name, List<String> values) {
			// By index: an iterator for each header of each event is a fifth of this.
			for (int i = 0; i < values.size(); i++) {
				add(name, values.get(i));
			}
			return this;
		}

		/** Puts this value in place of all under this name; null removes the name. */
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
