package dev.eventing.sdk.projection;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * The part of a live read model that is rebuilt in place. What each part needs, the
 * projector declares of its tables: which column holds the tenant of a row, the stream
 * that the row is made of, and the time bucket.
 */
public sealed interface RebuildScope {

	/** What separates the two ends of a window as text. */
	String TO = "..";

	/** The same in words, for operators. */
	String describe();

	/**
	 * Reads a part from texts, as commands and HTTP requests have them.
	 * @param tenant the tenant, or null
	 * @param streams the streams; empty if none are meant
	 * @param letters the ids of the letters; empty if none are meant
	 * @param window both ends, such as
	 * {@code 2026-01-31T00:00:00Z..2026-02-01T00:00:00Z}, or null
	 * @return null if nothing is given
	 * @throws IllegalArgumentException if they are not one part
	 */
	static @Nullable RebuildScope of(@Nullable String tenant, List<String> streams, List<String> letters,
			@Nullable String window) {
		boolean several = (streams.isEmpty() ? 0 : 1) + (letters.isEmpty() ? 0 : 1) + ((window != null) ? 1 : 0) > 1;
		if (several || (tenant != null && !letters.isEmpty())) {
			throw new IllegalArgumentException(
					"A part of a read model is one of these: streams of a tenant, the keys of "
							+ "letters, a tenant, a window of time. Consider one request for each.");
		}
		if (!letters.isEmpty()) {
			return new KeysOfLetters(ids(letters));
		}
		if (window != null) {
			return window(window, (tenant != null) ? tenant(tenant) : null);
		}
		if (!streams.isEmpty()) {
			if (tenant == null) {
				throw new IllegalArgumentException("Streams belong to a tenant. Consider to name it.");
			}
			return new Streams(tenant(tenant), new LinkedHashSet<>(streams));
		}
		return (tenant != null) ? new OfTenant(tenant(tenant)) : null;
	}

	private static TenantId tenant(String text) {
		try {
			return TenantId.of(text);
		}
		catch (EventingException ex) {
			throw new IllegalArgumentException(ex.getMessage(), ex);
		}
	}

	private static Set<UUID> ids(List<String> letters) {
		Set<UUID> ids = new LinkedHashSet<>();
		for (String letter : letters) {
			try {
				ids.add(UUID.fromString(letter));
			}
			catch (IllegalArgumentException ex) {
				throw new IllegalArgumentException(
						"'" + letter + "' is no id of a letter. Consider those that the list of dead letters shows.",
						ex);
			}
		}
		return ids;
	}

	private static Window window(String text, @Nullable TenantId tenant) {
		int at = text.indexOf(TO);
		try {
			return new Window(Instant.parse(text.substring(0, Math.max(0, at))),
					Instant.parse(text.substring(at + TO.length())), tenant);
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"'" + text + "' is no window of time. Consider " + "2026-01-31T00:00:00Z..2026-02-01T00:00:00Z.",
					ex);
		}
	}

	/**
	 * The rows of streams. Each stream is rebuilt in a separate transaction.
	 *
	 * @param tenant their tenant
	 * @param streams their ids, one or more
	 */
	record Streams(TenantId tenant, Set<String> streams) implements RebuildScope {

		public Streams {
			if (streams.isEmpty() || streams.contains("")) {
				throw new IllegalArgumentException("One stream at least, with an id that is not empty.");
			}
			streams = Set.copyOf(streams);
		}

		@Override
		public String describe() {
			List<String> sorted = new ArrayList<>(this.streams);
			sorted.sort(null);
			return ((sorted.size() == 1) ? "stream '" : "streams '") + String.join("', '", sorted) + "' of tenant '"
					+ this.tenant + "'";
		}

	}

	/**
	 * The rows of the streams that events of letters belong to. These letters end
	 * resolved.
	 *
	 * @param letters the ids of letters of the projector, one or more
	 */
	record KeysOfLetters(Set<UUID> letters) implements RebuildScope {

		public KeysOfLetters {
			if (letters.isEmpty()) {
				throw new IllegalArgumentException("One letter at least.");
			}
			letters = Set.copyOf(letters);
		}

		@Override
		public String describe() {
			return "the keys of " + this.letters.size() + ((this.letters.size() == 1) ? " letter" : " letters");
		}

	}

	/**
	 * All rows of a tenant.
	 *
	 * @param tenant the tenant
	 */
	record OfTenant(TenantId tenant) implements RebuildScope {

		@Override
		public String describe() {
			return "tenant '" + this.tenant + "'";
		}

	}

	/**
	 * The rows of the time buckets of a roll-up that lie in a window. Both ends are ends
	 * of buckets.
	 *
	 * @param from the first moment, to the microsecond
	 * @param to the moment after the last one
	 * @param tenant the tenant whose rows are meant; null for the rows of all
	 */
	record Window(Instant from, Instant to, @Nullable TenantId tenant) implements RebuildScope {

		public Window {
			from = from.truncatedTo(ChronoUnit.MICROS);
			to = to.truncatedTo(ChronoUnit.MICROS);
			if (!from.isBefore(to)) {
				throw new IllegalArgumentException("A window begins before it ends, not as " + from + TO + to + ".");
			}
		}

		@Override
		public String describe() {
			return "the window " + this.from + TO + this.to
					+ ((this.tenant != null) ? " of tenant '" + this.tenant + "'" : "");
		}

	}

}
