package dev.eventing.sdk.relay;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.JdbcRefusals.ClosedPlace;
import dev.eventing.sdk.relay.JdbcRefusals.Open;

/**
 * The events that were set aside because nothing takes them now: what they wait for, when
 * they are released, and how many there may be. Not thread-safe.
 */
final class SetAside {

	/**
	 * The maximum number of events that wait for closed places, those held behind them
	 * included. At this number, the relay takes no more events from the log.
	 */
	static final int MOST = 100_000;

	/** The pause between two checks of what events wait for. */
	private static final long ASK_EVERY = TimeUnit.SECONDS.toNanos(2);

	private static final int PAGE = 1000;

	/**
	 * The maximum number of rows released by one statement, which must be short: a
	 * million streams may wait.
	 */
	private static final int MOST_RELEASED = 10_000;

	private final JdbcRefusals refusals;

	private final RelayCheckpoint checkpoint;

	private final UncoveredSubjects uncovered;

	private final ClosedPlaces places = new ClosedPlaces();

	/** The first subjects that no stream carries, and how many streams wait for one. */
	private List<String> subjects = List.of();

	private long withoutCarrier;

	/** The first places that take no events, and how many streams wait for one. */
	private List<ClosedPlace> closed = List.of();

	private final Set<StreamKey> behindPlaces = new HashSet<>();

	/** How many events wait for a place. */
	private int events;

	/** The last place of the last page that was looked at; empty to begin again. */
	private String lastPlace = "";

	private long nextAsk = System.nanoTime();

	SetAside(RelayOptions options, JdbcRefusals refusals, RelayCheckpoint checkpoint, StreamTails tails) {
		this.refusals = refusals;
		this.checkpoint = checkpoint;
		this.uncovered = new UncoveredSubjects(tails, RelayFilters.of(options));
	}

	UncoveredSubjects uncovered() {
		return this.uncovered;
	}

	ClosedPlaces places() {
		return this.places;
	}

	/**
	 * Reads what events wait for.
	 * @param open the streams with rows other than held ones
	 * @param unwritten streams with rows that are not in the table yet
	 */
	void look(Map<StreamKey, Open> open, Collection<StreamKey> unwritten) {
		this.withoutCarrier = open.values().stream().filter(Open::uncovered).count();
		this.subjects = (this.withoutCarrier > 0) ? this.refusals.waitingFor("", PAGE) : List.of();
		this.behindPlaces.retainAll(unwritten);
		open.forEach((key, rows) -> {
			if (rows.closed()) {
				this.behindPlaces.add(key);
			}
		});
		this.closed = this.behindPlaces.isEmpty() ? List.of() : this.refusals.closedPlaces("", PAGE);
		this.events = this.behindPlaces.isEmpty() ? 0 : this.refusals.countBehindPlaces(MOST);
	}

	/** Records events of one stream that are set aside, new ones only. */
	void added(StreamKey key, WaitsFor cause, int number) {
		if (cause.place() != null) {
			this.behindPlaces.add(key);
			this.events += number;
		}
	}

	/** Records an event that is held, perhaps behind one that waits. */
	void held(StreamKey key) {
		if (this.behindPlaces.contains(key)) {
			this.events++;
		}
	}

	/** Whether no more events may be set aside. */
	boolean isFull() {
		return this.events >= MOST;
	}

	/**
	 * Releases events whose subject a stream carries now, and some of those whose place
	 * is to be tried again.
	 * @return whether any were released
	 */
	boolean release(long now) {
		if ((this.subjects.isEmpty() && this.behindPlaces.isEmpty()) || now - this.nextAsk < 0) {
			return false;
		}
		boolean released = releaseCarried();
		released |= releaseTried(now);
		this.nextAsk = now + ASK_EVERY;
		return released;
	}

	private boolean releaseCarried() {
		List<String> page = this.subjects;
		boolean released = releaseCarried(page);
		while (page.size() == PAGE) {
			page = this.refusals.waitingFor(page.get(page.size() - 1), PAGE);
			released |= releaseCarried(page);
		}
		return released;
	}

	private boolean releaseCarried(List<String> page) {
		List<String> carried = this.uncovered.carried(page);
		AtomicInteger released = new AtomicInteger(carried.isEmpty() ? 0 : MOST_RELEASED);
		while (released.get() == MOST_RELEASED) {
			this.checkpoint.owned(() -> released.set(this.refusals.carried(carried, MOST_RELEASED)));
		}
		return !carried.isEmpty();
	}

	/** Looks at one page of places at a time. */
	private boolean releaseTried(long now) {
		this.places.forget(now);
		if (this.behindPlaces.isEmpty()) {
			return false;
		}
		List<String> page = this.refusals.closedPlaces(this.lastPlace, PAGE).stream().map(ClosedPlace::place).toList();
		this.lastPlace = (page.size() == PAGE) ? page.get(PAGE - 1) : "";
		List<String> due = this.places.due(page, now);
		if (!due.isEmpty()) {
			this.checkpoint
				.owned(() -> due.forEach((place) -> this.refusals.released(place, this.places.tries(place, now))));
		}
		return !due.isEmpty();
	}

	/** Why the relay takes no more events; empty if it does. */
	String whyFull() {
		return isFull() ? "No more events are taken from the event store, because too many wait: " + this.events + ". "
				+ describe() : "";
	}

	/** Describes what events wait for; empty if none waits. */
	String describe() {
		return Stream.of(describeSubjects(), describePlaces())
			.filter((text) -> !text.isEmpty())
			.collect(Collectors.joining(" "));
	}

	private String describeSubjects() {
		return this.subjects.isEmpty() ? ""
				: "No stream of JetStream carries '" + this.subjects.get(0) + "'"
						+ others(", nor ", this.subjects.size()) + ". In the event store " + this.withoutCarrier
						+ " streams wait for that; the others continue. Consider adding the subjects to a stream.";
	}

	private String describePlaces() {
		if (this.closed.isEmpty()) {
			return "";
		}
		ClosedPlace first = this.closed.get(0);
		return "JetStream takes no events now in " + first.place() + others(", nor in ", this.closed.size())
				+ ". In the event store " + this.behindPlaces.size()
				+ " streams wait for that and are tried again; the others continue. " + first.reason();
	}

	private static String others(String before, int all) {
		return (all > 1) ? before + (all - 1) + " or more others" : "";
	}

}
