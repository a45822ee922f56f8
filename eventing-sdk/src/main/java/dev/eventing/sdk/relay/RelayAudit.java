package dev.eventing.sdk.relay;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.nats.StreamTail;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.relay.JdbcRelayPositions.Saved;
import dev.eventing.sdk.relay.LateEvents.LostEnd;
import dev.eventing.sdk.relay.LateEvents.Unpublished;
import dev.eventing.sdk.store.EventLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, before a relay publishes, the ends of its streams with the database: either
 * may have been restored to an earlier state.
 */
final class RelayAudit {

	private static final Logger logger = LoggerFactory.getLogger(RelayAudit.class);

	private final RelayOptions options;

	private final StreamTails tails;

	private final EventLog log;

	private final JdbcRelayPositions positions;

	private final LateEvents late;

	private final PrunedHistory history;

	RelayAudit(RelayOptions options, StreamTails tails, EventLog log, JdbcRelayPositions positions, LateEvents late,
			PrunedHistory history) {
		this.options = options;
		this.tails = tails;
		this.log = log;
		this.positions = positions;
		this.late = late;
		this.history = history;
	}

	/**
	 * Compares, and decides where to continue.
	 * @param givenAgain streams that were restored to an earlier state while the relay
	 * published, each with the first sequence that it gave again. Such a stream may have
	 * grown past its former end since.
	 * @throws RestoredDatabaseException if an operator must decide first
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	Resumption resume(Map<String, Long> givenAgain) {
		Saved saved = this.positions.find();
		long drawn = this.log.drawn();
		Comparison comparison = new Comparison(saved);
		Map<String, Long> again = new HashMap<>(givenAgain);
		this.positions.givenAgain().forEach((stream, first) -> again.merge(stream, first, Math::min));
		for (StreamTail whole : tails(Set.copyOf(comparison.marks.keySet()))) {
			comparison.add(whole, whole.before(again.getOrDefault(whole.stream(), Long.MAX_VALUE)));
		}
		requireSameStore(comparison.present.tailMap(saved.accepted(), false), saved, drawn);
		return comparison.resumption();
	}

	/**
	 * Searches back, as far as necessary, for the position from which streams and store
	 * differ.
	 */
	Difference difference() {
		Saved saved = this.positions.find();
		RelaySeal seal = new RelaySeal(saved.sealKey());
		long highest = 0;
		long same = Long.MAX_VALUE;
		Set<String> known = this.positions.marks().keySet();
		for (StreamTail tail : tails(known)) {
			boolean far = known.isEmpty() || known.contains(tail.stream());
			NavigableMap<Long, UUID> own = own(tail, null, seal,
					(found) -> found.isEmpty() ? !far : parted(found).size() < found.size());
			highest = Math.max(highest, own.isEmpty() ? 0 : own.lastKey());
			NavigableMap<Long, UUID> parted = parted(own.tailMap(saved.accepted(), false));
			same = Math.min(same, parted.isEmpty() ? Long.MAX_VALUE : parted.firstKey() - 1);
		}
		return new Difference(highest, same);
	}

	/** The published events that the event store does not have at the same position. */
	private NavigableMap<Long, UUID> parted(NavigableMap<Long, UUID> published) {
		NavigableMap<Long, UUID> parted = new TreeMap<>(published);
		parted.entrySet().removeAll(this.positions.eventsAt(published.keySet()).entrySet());
		return parted;
	}

	/**
	 * The ends of all streams that the relay remembers and of all streams to which it
	 * could publish. The latter are needed because a relay that remembers no streams may
	 * have published with an older version.
	 */
	private List<StreamTail> tails(Set<String> known) {
		Map<String, StreamTail> tails = new TreeMap<>();
		this.tails.carrying(RelayFilters.of(this.options)).forEach((tail) -> tails.put(tail.stream(), tail));
		known.stream()
			.filter((stream) -> !tails.containsKey(stream))
			.map(this.tails::find)
			.flatMap(Optional::stream)
			.forEach((tail) -> tails.put(tail.stream(), tail));
		return List.copyOf(tails.values());
	}

	private static boolean isSetBack(StreamTail tail, Mark mark) {
		return tail.lastSequence() < mark.lastSequence() || !tail.created().equals(mark.created());
	}

	/**
	 * The relay's messages at the end of the stream, by position.
	 * @param enough whether the found messages are sufficient; otherwise the search
	 * continues to the start of the stream
	 */
	private NavigableMap<Long, UUID> own(StreamTail tail, @Nullable Mark mark, RelaySeal seal,
			Predicate<NavigableMap<Long, UUID>> enough) {
		NavigableMap<Long, UUID> own = new TreeMap<>();
		long first = Math.max(1, tail.firstSequence());
		long to = tail.lastSequence();
		long known = (mark != null) ? Math.min(mark.lastSequence(), to) : to;
		long from = Math.max(first, known - reach() + 1);
		read(tail, from, to, seal, own);
		while (from > first && !enough.test(own)) {
			to = from - 1;
			from = Math.max(first, from - 4 * (tail.lastSequence() - from + 1));
			read(tail, from, to, seal, own);
		}
		return own;
	}

	private void read(StreamTail tail, long from, long to, RelaySeal seal, Map<Long, UUID> own) {
		this.tails.read(tail.stream(), from, to, (message) -> {
			Passed event = RelayMessages.event(this.options.name(), seal, message.headers());
			if (event != null) {
				own.put(event.position(), event.eventId());
			}
		});
	}

	/**
	 * The number of events to look back. The window may have been larger when the events
	 * were published.
	 */
	private int reach() {
		return Math.max(this.options.bounds().events(), RelayOptions.DEFAULT_WINDOW);
	}

	private long rewound(StreamTail tail, Mark mark, long highest, long reached) {
		long start = Math.min(reached, this.positions.before(highest, reach(), this.options.categories()));
		logger.warn(
				"Relay '{}': stream '{}' of {} ends with sequence {} but had {} of {}. The lost events are published "
						+ "again, from position {} to {}.",
				this.options.name(), tail.stream(), tail.created(), tail.lastSequence(), mark.lastSequence(),
				mark.created(), start, reached);
		return start;
	}

	private String emptied(StreamTail tail, Mark mark, Saved saved) {
		String warning = ("Stream '%s' of %s holds nothing of relay '%s' and ends with sequence %s; it had %s, of %s. "
				+ "Consider republish(\"%s\", 1, %s) if its former events are still needed.")
			.formatted(tail.stream(), tail.created(), this.options.name(), tail.lastSequence(), mark.lastSequence(),
					mark.created(), this.options.name(), saved.position());
		logger.error("{} New events are published.", warning);
		return warning;
	}

	/** Whether consumers may have pruned the history of the lost events. */
	private boolean isForgotten(long highest, long reached) {
		Optional<Instant> lost = (highest < reached) ? this.log.recordedBehind(highest) : Optional.empty();
		return lost.isPresent()
				&& this.history.inStreams().filter((forgotten) -> forgotten.includes(lost.get())).isPresent();
	}

	private String forgotten(StreamTail tail, long highest, Saved saved) {
		String warning = ("Stream '%s' of %s has lost events of relay '%s'. Its consumers may have pruned the history of these "
				+ "events, and could apply them twice. Consider republishAlsoPruned(\"%s\", %s, %s) "
				+ "if they have not seen them.")
			.formatted(tail.stream(), tail.created(), this.options.name(), this.options.name(), highest + 1,
					saved.position());
		logger.error("{} New events are published.", warning);
		return warning;
	}

	/**
	 * The warning for late events that the stream has lost and that are not published
	 * again.
	 */
	private Optional<String> forgottenLate(LostEnd end) {
		Unpublished events = this.late.forgotten(end);
		if (events.count() == 0) {
			return Optional.empty();
		}
		String warning = ("Stream '%s' of %s has lost %s events of relay '%s' that it had got late, the first from position "
				+ "%s. Its consumers may have pruned the history of these events, and could apply them twice. Consider "
				+ "republishAlsoPruned for the positions in relay_late_events if they have not seen them.")
			.formatted(end.stream(), end.created(), events.count(), this.options.name(), events.first());
		logger.error("{} New events are published.", warning);
		return Optional.of(warning);
	}

	/**
	 * A position is drawn only once, unless the database was restored to an earlier
	 * state.
	 */
	private void requireSameStore(NavigableMap<Long, UUID> published, Saved saved, long drawn) {
		if (saved.position() > drawn) {
			throw new RestoredDatabaseException(instructions("it stands at position " + saved.position()
					+ ", and the event store has drawn positions up to " + drawn + " only"));
		}
		if (published.isEmpty()) {
			return;
		}
		if (published.lastKey() > drawn) {
			throw new RestoredDatabaseException(instructions("the stream holds position " + published.lastKey()
					+ ", and the event store has drawn positions up to " + drawn + " only"));
		}
		requireSameEvents(published, this.positions.eventsAt(published.keySet()), saved);
	}

	private void requireSameEvents(NavigableMap<Long, UUID> published, Map<Long, UUID> stored, Saved saved) {
		// Events before the saved position may have been deleted since, so only later
		// ones are compared.
		published.tailMap(saved.position(), false)
			.entrySet()
			.stream()
			.filter((entry) -> !stored.containsKey(entry.getKey()))
			.findFirst()
			.ifPresent((entry) -> {
				throw new RestoredDatabaseException(instructions("the stream holds event " + entry.getValue()
						+ " at position " + entry.getKey() + ", and the event store has none there"));
			});
		Map<Long, UUID> other = published.entrySet()
			.stream()
			.filter((entry) -> stored.containsKey(entry.getKey())
					&& !entry.getValue().equals(stored.get(entry.getKey())))
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, two) -> one, TreeMap::new));
		other.entrySet().stream().findFirst().ifPresent((entry) -> {
			throw new RestoredDatabaseException(instructions("position " + entry.getKey() + " is event "
					+ entry.getValue() + " in the stream, and event " + stored.get(entry.getKey())
					+ " in the event store (" + other.size() + " such positions)"));
		});
	}

	/**
	 * Where the streams and the store differ.
	 *
	 * @param highest the highest position that the streams hold; 0 if they hold no event
	 * of this relay
	 * @param same the position up to which they do not differ; a very high value if they
	 * do not differ
	 */
	record Difference(long highest, long same) {
	}

	private String instructions(String difference) {
		return ("Relay '%s' publishes nothing: %s. The database was probably restored to an earlier state, and events "
				+ "that consumers have seen are no longer in it. Consider restoring it to a later state. To accept the "
				+ "loss, call acceptRestore(\"%s\"): the relay continues from the last position where both agree, new "
				+ "events get higher positions than those published, and read models keep the effects of the lost events until they are rebuilt.")
			.formatted(this.options.name(), difference, this.options.name());
	}

	/** What the ends of the streams show, compared with what the relay has saved. */
	private final class Comparison {

		private final Saved saved;

		private final RelaySeal seal;

		private final Map<String, Mark> marks;

		private final List<StreamTail> lost = new ArrayList<>();

		private final List<LostEnd> ends = new ArrayList<>();

		private final NavigableMap<Long, UUID> present = new TreeMap<>();

		private final List<String> warnings = new ArrayList<>();

		private final Instant knownSince = RelayAudit.this.late.forgottenBefore();

		private long position;

		Comparison(Saved saved) {
			this.saved = saved;
			this.seal = new RelaySeal(saved.sealKey());
			this.marks = RelayAudit.this.positions.marks();
			this.position = saved.position();
		}

		/**
		 * Adds a stream.
		 * @param whole its end
		 * @param tail what it has kept: less if it gives sequences again
		 */
		void add(StreamTail whole, StreamTail tail) {
			Mark mark = this.marks.get(tail.stream());
			boolean setBack = mark != null && isSetBack(tail, mark);
			NavigableMap<Long, UUID> own = own(tail, mark, this.seal, (found) -> !setBack || !found.isEmpty());
			this.present.putAll(own);
			if (mark != null && setBack) {
				addSetBack(whole, tail, mark, own);
			}
			this.marks.put(tail.stream(), new Mark(tail.created(), whole.lastSequence()));
		}

		private void addSetBack(StreamTail whole, StreamTail tail, Mark mark, NavigableMap<Long, UUID> own) {
			if (own.isEmpty()) {
				this.warnings.add(emptied(tail, mark, this.saved));
				return;
			}
			if (isForgotten(own.lastKey(), this.saved.position())) {
				this.warnings.add(forgotten(tail, own.lastKey(), this.saved));
			}
			else {
				this.position = Math.min(this.position, rewound(tail, mark, own.lastKey(), this.saved.position()));
				this.lost.add(whole);
			}
			LostEnd end = new LostEnd(tail.stream(), tail.created(), tail.lastSequence(), this.knownSince);
			this.ends.add(end);
			forgottenLate(end).ifPresent(this.warnings::add);
		}

		Resumption resumption() {
			return new Resumption(this.position, this.saved.position(), this.lost, this.ends,
					new HashMap<>(this.present.tailMap(this.position, false)), this.marks, this.seal,
					String.join(" ", this.warnings));
		}

	}

}
