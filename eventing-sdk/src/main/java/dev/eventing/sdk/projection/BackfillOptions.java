package dev.eventing.sdk.projection;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.Collection;
import java.util.Collections;

import org.jspecify.annotations.Nullable;

/**
 * Which events a backfill applies to the live read model.
 *
 * @param types the names of the event types; with a handler, none means all types that it
 * names. The other names of a type, its aliases, are meant with it.
 * @param handler the handler that runs for all events of the types, whether the projector
 * has applied them before or not: its method, such as {@code on}, or with its class and
 * parameters. Null to apply only the events that the projector has not applied.
 * @param to the last position of the event store that is applied; null for the place
 * where the live generation stands when the backfill begins
 * @param rate the most events of the types that it applies in a second; null if it slows
 * down by itself while a replica of the database lags
 */
public record BackfillOptions(SortedSet<String> types, @Nullable String handler, @Nullable Long to,
		@Nullable Integer rate) {

	public BackfillOptions {
		types = Collections.unmodifiableSortedSet(new TreeSet<>(types));
		if (types.isEmpty() && handler == null) {
			throw new IllegalArgumentException(
					"A backfill needs types of events, or a handler. Consider the type that the new handler takes.");
		}
		if (types.stream().anyMatch(String::isBlank) || (handler != null && handler.isBlank())) {
			throw new IllegalArgumentException("The types and the handler of a backfill must not be blank.");
		}
		if (to != null && to < 1) {
			throw new IllegalArgumentException("'to' must be a position of at least 1, not " + to + ".");
		}
		if (rate != null && rate < 1) {
			throw new IllegalArgumentException("'rate' must be at least one event per second, not " + rate + ".");
		}
	}

	/** The events of these types that the projector has not applied. */
	public static BackfillOptions ofTypes(Collection<String> types) {
		return new BackfillOptions(new TreeSet<>(types), null, null, null);
	}

	/** All events of a handler, whether the projector has applied them or not. */
	public static BackfillOptions ofHandler(String handler) {
		return new BackfillOptions(Collections.emptySortedSet(), handler, null, null);
	}

	/** The same, up to a position. */
	public BackfillOptions to(long position) {
		return new BackfillOptions(this.types, this.handler, position, this.rate);
	}

	/** The same, with at most this many events per second. */
	public BackfillOptions rate(int eventsPerSecond) {
		return new BackfillOptions(this.types, this.handler, this.to, eventsPerSecond);
	}

	/** The events it applies, as part of a sentence. */
	public String text() {
		String of = this.types.isEmpty() ? "" : " of " + String.join(", ", this.types);
		return ((this.handler != null) ? "all events" + of + " to handler " + this.handler : "events" + of)
				+ ((this.to != null) ? " up to position " + this.to : "");
	}

}
