package dev.eventing.sdk.liveview.frame;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.liveview.LiveVersion;

/**
 * The versions of keys that have changed a moment ago. A subscriber that lost the last
 * frame of a key learns its version from them. From memory, and with a limited rate.
 * Thread-safe.
 */
final class Digests {

	/**
	 * The time after the last change of a key. Before that, its frames have its version.
	 */
	private static final long FIRST = Duration.ofSeconds(1).toNanos();

	/** The time until a second message, because the first may be lost, too. */
	private static final long SECOND = Duration.ofSeconds(2).toNanos();

	private final int most;

	private final Map<String, Due> first = new LinkedHashMap<>();

	private final Map<String, Due> second = new LinkedHashMap<>();

	/**
	 * Knows no key yet.
	 * @param most the most keys that are remembered
	 */
	Digests(int most) {
		this.most = most;
	}

	/**
	 * A key has changed.
	 * @return false if there are too many: what was remembered is forgotten
	 */
	synchronized boolean changed(String subject, LiveVersion version, long now) {
		if (this.first.remove(subject) == null) {
			this.second.remove(subject); // it is in one of them at most
		}
		if (this.first.size() + this.second.size() >= this.most) {
			this.first.clear();
			this.second.clear();
			return false;
		}
		this.first.put(subject, new Due(subject, version, now + FIRST));
		return true;
	}

	/** Returns what is to be told now, at most this many. */
	synchronized List<Due> due(long now, int limit) {
		List<Due> due = new ArrayList<>();
		take(this.first, now, limit, due);
		due.forEach((each) -> this.second.put(each.subject(), new Due(each.subject(), each.version(), now + SECOND)));
		take(this.second, now, limit, due);
		return due;
	}

	private static void take(Map<String, Due> from, long now, int limit, List<Due> due) {
		Iterator<Due> all = from.values().iterator();
		while (due.size() < limit && all.hasNext()) {
			Due next = all.next();
			if (next.at() - now > 0) {
				return; // in the order of their times
			}
			due.add(next);
			all.remove();
		}
	}

	/**
	 * A version that is to be told.
	 *
	 * @param at when, by {@link System#nanoTime}
	 */
	record Due(String subject, LiveVersion version, long at) {
	}

}
