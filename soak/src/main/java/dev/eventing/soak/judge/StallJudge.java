package dev.eventing.soak.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Finds stalls: there is work for a projector, no fault for some time, and nothing is
 * settled meanwhile. Time for which the machine stood still does not count. One that
 * health keeps quiet about is worse, and is said apart. Thread-safe.
 */
public final class StallJudge {

	private final long patience;

	private final Map<String, Watch> watches = new HashMap<>();

	private final Map<String, Long> longest = new TreeMap<>();

	private final List<String> complaints = new ArrayList<>();

	/** What an operator holds up on purpose. */
	private final Set<String> heldUp = new HashSet<>();

	private int faults;

	private String lastFault = "no fault";

	private long calmSince;

	/**
	 * Makes one.
	 * @param patience how long after a fault, and after the last commit, nothing need be
	 * settled
	 * @param start now, by {@link System#nanoTime()}
	 */
	public StallJudge(Duration patience, long start) {
		this.patience = patience.toNanos();
		this.calmSince = start;
	}

	/** A fault begins, perhaps beside another one. */
	public synchronized void faultBegins(String name) {
		this.faults++;
		this.lastFault = name;
	}

	/** A fault is over. */
	public synchronized void faultEnds(long at) {
		this.faults--;
		this.calmSince = at;
	}

	/** An operator holds a projector up on purpose. */
	public synchronized void holdsUp(String projector) {
		this.heldUp.add(projector);
	}

	/** The projector must make progress, from the next look on. */
	public synchronized void letsGoOn(String projector) {
		this.heldUp.remove(projector);
	}

	/** Which projectors an operator holds up now. */
	public synchronized Set<String> heldUp() {
		return Set.copyOf(this.heldUp);
	}

	/** Looks at what was seen. */
	public synchronized void look(Sample sample) {
		sample.projectors().forEach((projector, progress) -> look(projector, progress, sample));
	}

	private void look(String projector, Sample.Progress progress, Sample sample) {
		Watch watch = this.watches.computeIfAbsent(projector, (name) -> new Watch(sample));
		if (!progress.isBehind() || watch.isMoved(progress) || this.heldUp.contains(projector)) {
			watch.settle(progress.settled(), sample);
			return;
		}
		long still = watch.still(sample);
		this.longest.merge(this.lastFault, still, Math::max);
		if (this.faults > 0 || still < this.patience || sample.at() - this.calmSince < this.patience) {
			return;
		}
		if (!watch.stalled) {
			watch.stalled = true;
			complain("stall", projector, progress, sample);
		}
		if (!watch.quiet && sample.isAllUp()) {
			watch.quiet = true;
			complain("health UP during a stall", projector, progress, sample);
		}
	}

	private void complain(String what, String projector, Sample.Progress progress, Sample sample) {
		Watch watch = this.watches.get(projector);
		long seconds = Duration.ofNanos((watch != null) ? watch.still(sample) : 0).toSeconds();
		this.complaints.add("%s: '%s' settled nothing for %d s, last fault %s, %d of %d applied, %d letters; %s"
			.formatted(what, projector, seconds, this.lastFault, progress.applied(), progress.expected(),
					progress.letters(), sample.nodes()));
	}

	/** The complaints so far, in words. */
	public synchronized List<String> complaints() {
		return List.copyOf(this.complaints);
	}

	/** By the last fault, how long a projector with work settled nothing at most. */
	public synchronized Map<String, Duration> longest() {
		Map<String, Duration> all = new TreeMap<>();
		this.longest.forEach((fault, nanos) -> all.put(fault, Duration.ofNanos(nanos)));
		return all;
	}

	/** The observations of one projector. */
	private static final class Watch {

		private Sample since;

		private @Nullable Long settled;

		private boolean stalled;

		private boolean quiet;

		Watch(Sample first) {
			this.since = first;
		}

		/** For how long the machine ran since something was settled. */
		long still(Sample now) {
			return (now.at() - this.since.at()) - (now.late() - this.since.late());
		}

		boolean isMoved(Sample.Progress progress) {
			return this.settled == null || this.settled != progress.settled();
		}

		void settle(long count, Sample sample) {
			this.settled = count;
			this.since = sample;
			this.stalled = false;
			this.quiet = false;
		}

	}

}
