package dev.eventing.sdk.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Streams and subjects of JetStream that take no events now: a full or sealed stream, a
 * full subject, a subject to which the server lets this user publish nothing. Decides
 * when a place is tried again, and with how many events. This is known of this run only;
 * which events wait for a place is in the table. Not thread-safe.
 */
final class ClosedPlaces {

	private static final long SHORTEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

	private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(32);

	/** The factor by which the events that are tried at once grow after each success. */
	private static final int GROWTH = 10;

	private static final int MOST_AT_ONCE = 10_000;

	/** The maximum number of places that are tried at once. */
	private static final int MOST_TRIED = 100;

	private static final long FORGET_AFTER = TimeUnit.MINUTES.toNanos(2);

	/** The eldest are forgotten, and are tried once more then. */
	private static final int MOST_KNOWN = 10_000;

	/**
	 * The maximum number of events that may be set aside while no place is known to take
	 * any.
	 */
	private static final int MOST_BLIND = 10_000;

	private final Map<String, Closed> closed = new LinkedHashMap<>();

	/** The number of confirmations that came while a place was closed. */
	private long confirmations;

	/** The number of events set aside blindly since the last confirmation. */
	private int blind;

	static String stream(String name) {
		return "stream '" + name + "'";
	}

	static String subject(String name) {
		return "subject '" + name + "'";
	}

	/** Whether it needs to learn of confirmations. */
	boolean needConfirmations() {
		return !this.closed.isEmpty() || isBlind();
	}

	/** Records that a stream stored an event of this subject. */
	void confirmed(String stream, String subject, long now) {
		this.confirmations++;
		this.blind = 0;
		opened(stream(stream), now);
		opened(subject(subject), now);
	}

	private void opened(String place, long now) {
		Closed opened = this.closed.get(place);
		if (opened != null) {
			opened.since = this.confirmations;
			opened.atOnce = Math.min(MOST_AT_ONCE, opened.atOnce * GROWTH);
			opened.pause = SHORTEST_PAUSE;
			opened.due = now;
			opened.tried = false;
		}
	}

	/** Records that a place has not taken an event. */
	void failed(String place, long now) {
		Closed failed = know(place, now);
		if (now - failed.failedAt >= FORGET_AFTER) {
			failed.told = false;
		}
		failed.atOnce = 1;
		failed.failedAt = now;
		if (failed.tried) {
			failed.pause = Math.min(LONGEST_PAUSE, 2 * failed.pause);
			failed.tried = false;
		}
		if (now - failed.due >= 0) {
			failed.due = now + failed.pause;
		}
	}

	private Closed know(String place, long now) {
		Closed known = this.closed.computeIfAbsent(place, (name) -> new Closed(this.confirmations, now));
		if (this.closed.size() > MOST_KNOWN) {
			String eldest = this.closed.keySet().iterator().next();
			this.closed.remove(eldest);
		}
		return known;
	}

	/**
	 * Whether another place has taken an event since this one was closed. Then an event
	 * that waits for this place stops others for nothing.
	 */
	boolean othersTake(String place) {
		Closed known = this.closed.get(place);
		return known != null && this.confirmations > known.since;
	}

	/** Whether an event may be set aside though no place is known to take any. */
	boolean mayBeBlind() {
		return this.blind < MOST_BLIND;
	}

	/** Records events that were set aside though no place is known to take any. */
	void setAsideBlindly(int events) {
		this.blind += events;
	}

	/** Whether events were set aside blindly, and none was confirmed since. */
	boolean isBlind() {
		return this.blind > 0;
	}

	/** Whether it was not logged yet that events wait for the place. */
	boolean isNews(String place, long now) {
		Closed known = know(place, now);
		boolean news = !known.told;
		known.told = true;
		return news;
	}

	/** The places that are to be tried now, the longest due first. */
	List<String> due(Collection<String> waitedFor, long now) {
		List<Due> due = new ArrayList<>();
		for (String place : waitedFor) {
			long late = now - know(place, now).due;
			if (late >= 0) {
				due.add(new Due(place, late));
			}
		}
		return due.stream()
			.sorted(Comparator.comparingLong(Due::late).reversed())
			.limit(MOST_TRIED)
			.map(Due::place)
			.toList();
	}

	/**
	 * Records that the place is tried.
	 * @return with how many events at most
	 */
	int tries(String place, long now) {
		Closed tried = know(place, now);
		tried.tried = true;
		tried.due = now + tried.pause;
		return tried.atOnce;
	}

	/** Forgets the places that have taken all events since they failed last. */
	void forget(long now) {
		this.closed.values().removeIf((place) -> now - place.failedAt >= FORGET_AFTER);
	}

	/**
	 * A place that took no event when it was last tried, or has just begun to take
	 * events.
	 */
	private static final class Closed {

		/** The number of confirmations when it was closed, or last took an event. */
		private long since;

		/** When it is to be tried next, by {@link System#nanoTime}. */
		private long due;

		private long pause = SHORTEST_PAUSE;

		private int atOnce = 1;

		/** Whether it is being tried, without an answer yet. */
		private boolean tried;

		/** Whether the log tells of it. Once, until the place is forgotten. */
		private boolean told;

		private long failedAt;

		Closed(long since, long now) {
			this.since = since;
			this.due = now;
			this.failedAt = now;
		}

	}

	/** A place that is to be tried. */
	private record Due(String place, long late) {
	}

}
