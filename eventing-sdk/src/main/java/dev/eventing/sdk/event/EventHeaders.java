package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * The headers of an event: several values per name, in order. Names keep the case they
 * were written in and are found in any case, because NATS preserves case and the
 * CloudEvents binding ignores it. Immutable.
 */
public final class EventHeaders {

	private static final EventHeaders EMPTY = new EventHeaders(List.of(), List.of());

	/** Each once, in whatever case; they are few, so a walk finds them fastest. */
	private final List<String> names;

	/** Those of each name, at its place. */
	private final List<List<String>> values;

	private EventHeaders(List<String> names, List<List<String>> values) {
		this.names = names;
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
		int at = indexOf(this.names, name);
		return (at >= 0) ? this.values.get(at).get(0) : null;
	}

	/** All values under this name in any case; empty when there is none. */
	public List<String> all(String name) {
		int at = indexOf(this.names, name);
		return (at >= 0) ? this.values.get(at) : List.of();
	}

	private static int indexOf(List<String> names, String name) {
		for (int i = 0; i < names.size(); i++) {
			if (names.get(i).equalsIgnoreCase(name)) {
				return i;
			}
		}
		return -1;
	}

	/** The names, in the case and the order they were first written in. */
	public Set<String> names() {
		return Collections.unmodifiableSet(new LinkedHashSet<>(this.names));
	}

	/** How many characters all names and values have: about their bytes on the wire. */
	public int size() {
		int size = 0;
		for (int i = 0; i < this.names.size(); i++) {
			for (String value : this.values.get(i)) {
				size += this.names.get(i).length() + value.length();
			}
		}
		return size;
	}

	public boolean isEmpty() {
		return this.names.isEmpty();
	}

	/** A copy as a plain map, for storing and for other libraries. */
	public Map<String, List<String>> toMap() {
		Map<String, List<String>> map = new LinkedHashMap<>();
		forEach(map::put);
		return map;
	}

	private void forEach(BiConsumer<String, List<String>> action) {
		for (int i = 0; i < this.names.size(); i++) {
			action.accept(this.names.get(i), this.values.get(i));
		}
	}

	/** A builder that starts with these headers. */
	public Builder toBuilder() {
		Builder builder = builder();
		builder.names.addAll(this.names);
		builder.values.addAll(this.values);
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
		forEach((name, all) -> lower.put(name.toLowerCase(Locale.ROOT), all));
		return lower;
	}

	/** Shows names only: values may be confidential. */
	@Override
	public String toString() {
		return "EventHeaders" + this.names;
	}

	/** Collects headers; not thread-safe. */
	public static final class Builder {

		private final List<String> names = new ArrayList<>();

		/** Unmodifiable lists, none empty. */
		private final List<List<String>> values = new ArrayList<>();

		private Builder() {
		}

		/** Adds a value behind those already under this name. */
		public Builder add(String name, String value) {
			Objects.requireNonNull(value, name);
			int at = indexOf(this.names, name);
			if (at < 0) {
				this.names.add(name);
				this.values.add(List.of(value));
			}
			else {
				List<String> all = new ArrayList<>(this.values.get(at));
				all.add(value);
				this.values.set(at, List.copyOf(all));
			}
			return this;
		}

		/** Puts this value in place of all under this name; null removes the name. */
		public Builder set(String name, @Nullable String value) {
			int at = indexOf(this.names, name);
			if (at >= 0) {
				this.names.remove(at);
				this.values.remove(at);
			}
			return (value != null) ? add(name, value) : this;
		}

		public EventHeaders build() {
			return this.names.isEmpty() ? EMPTY : new EventHeaders(List.copyOf(this.names), List.copyOf(this.values));
		}

	}

}
