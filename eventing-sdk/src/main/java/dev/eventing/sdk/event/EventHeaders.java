package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * The headers of an event: several values per name, in order. Names keep the case they
 * were written in and are found in any case, because NATS preserves case and the
 * CloudEvents binding ignores it. Immutable.
 */
public final class EventHeaders {

	private static final EventHeaders EMPTY = new EventHeaders(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

	private final SortedMap<String, List<String>> values;

	private EventHeaders(SortedMap<String, List<String>> values) {
		this.values = values;
	}

	public static EventHeaders empty() {
		return EMPTY;
	}

	public static EventHeaders of(Map<String, List<String>> headers) {
		Builder builder = builder();
		headers.forEach((name, values) -> values.forEach((value) -> builder.add(name, value)));
		return builder.build();
	}

	public static Builder builder() {
		return new Builder();
	}

	/** The first value under this name in any case, or null. */
	public @Nullable String first(String name) {
		List<String> all = this.values.get(name);
		return (all != null && !all.isEmpty()) ? all.get(0) : null;
	}

	/** All values under this name in any case; empty when there is none. */
	public List<String> all(String name) {
		return this.values.getOrDefault(name, List.of());
	}

	/** The names, in the case they were first written in. */
	public Set<String> names() {
		return Collections.unmodifiableSet(this.values.keySet());
	}

	/** How many characters all names and values have: about their bytes on the wire. */
	public int size() {
		int size = 0;
		for (Map.Entry<String, List<String>> each : this.values.entrySet()) {
			for (String value : each.getValue()) {
				size += each.getKey().length() + value.length();
			}
		}
		return size;
	}

	public boolean isEmpty() {
		return this.values.isEmpty();
	}

	/** A copy as a plain map, for storing and for other libraries. */
	public Map<String, List<String>> toMap() {
		return new LinkedHashMap<>(this.values);
	}

	/** A builder that starts with these headers. */
	public Builder toBuilder() {
		Builder builder = builder();
		this.values.forEach((name, values) -> values.forEach((value) -> builder.add(name, value)));
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
		this.values.forEach((name, all) -> lower.put(name.toLowerCase(Locale.ROOT), all));
		return lower;
	}

	/** Shows names only: values may be confidential. */
	@Override
	public String toString() {
		return "EventHeaders" + this.values.keySet();
	}

	/** Collects headers; not thread-safe. */
	public static final class Builder {

		private final SortedMap<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

		private Builder() {
		}

		/** Adds a value behind those already under this name. */
		public Builder add(String name, String value) {
			Objects.requireNonNull(value, name);
			this.values.computeIfAbsent(name, (key) -> new ArrayList<>(1)).add(value);
			return this;
		}

		/** Puts this value in place of all under this name; null removes the name. */
		public Builder set(String name, @Nullable String value) {
			this.values.remove(name);
			return (value != null) ? add(name, value) : this;
		}

		public EventHeaders build() {
			if (this.values.isEmpty()) {
				return EMPTY;
			}
			SortedMap<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			this.values.forEach((name, all) -> copy.put(name, List.copyOf(all)));
			return new EventHeaders(copy);
		}

	}

}
