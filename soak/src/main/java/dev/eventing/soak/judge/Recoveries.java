package dev.eventing.soak.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** The recoveries of a run, as median and maximum. Thread-safe. */
public final class Recoveries {

	private final List<Duration> commits = new ArrayList<>();

	private final List<Duration> fresh = new ArrayList<>();

	private int kills;

	/** One has ended, or is given up. */
	public synchronized void add(Recovery recovery) {
		this.kills++;
		add(this.commits, recovery.commits());
		add(this.fresh, recovery.fresh());
	}

	private static void add(List<Duration> durations, @Nullable Duration duration) {
		if (duration != null) {
			durations.add(duration);
		}
	}

	/** The results, in words. */
	public synchronized List<String> lines() {
		if (this.kills == 0) {
			return List.of();
		}
		return List.of(line("until all projectors commit again", this.commits),
				line("until all have applied a fresh event", this.fresh));
	}

	private String line(String what, List<Duration> durations) {
		String words = "recovery after a kill of the owner, %s: %d of %d".formatted(what, durations.size(), this.kills);
		return durations.isEmpty() ? words : words + ", median %.1f s, maximum %.1f s"
			.formatted(seconds(median(durations)), seconds(durations.stream().max(Duration::compareTo).orElseThrow()));
	}

	/** Of an even number it is the mean of the two in the middle. */
	static Duration median(List<Duration> durations) {
		List<Duration> sorted = durations.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle)
				: sorted.get(middle - 1).plus(sorted.get(middle)).dividedBy(2);
	}

	private static double seconds(Duration duration) {
		return duration.toMillis() / 1000.0;
	}

}
