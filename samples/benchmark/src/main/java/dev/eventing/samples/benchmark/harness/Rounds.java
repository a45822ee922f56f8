package dev.eventing.samples.benchmark.harness;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.eventing.samples.benchmark.measure.Case;
import dev.eventing.samples.benchmark.measure.Measurement;

/** Lets the contenders of a comparison play their rounds in turns. */
final class Rounds {

	/**
	 * A round that is not so much faster than all before it is a sign of a warm
	 * contender.
	 */
	private static final double STILL_WARMING = 1.05;

	/** One such round may be chance. */
	private static final int SIGNS = 2;

	private final int rounds;

	private final Profile profile;

	private final PrintWriter progress;

	Rounds(int rounds, Profile profile, PrintWriter progress) {
		this.rounds = rounds;
		this.profile = profile;
		this.progress = progress;
	}

	/**
	 * Plays rounds of each that do not count, then the others in turns, each turn in the
	 * opposite order of the one before, so that nobody is always the first.
	 */
	List<Case> play(Comparison comparison) throws Exception {
		say("%s%n", comparison.title());
		Map<Entry, Integer> sizes = new LinkedHashMap<>();
		Map<Entry, List<Measurement>> played = new LinkedHashMap<>();
		for (Entry entry : comparison.entries()) {
			sizes.put(entry, warmUp(entry, comparison));
			played.put(entry, new ArrayList<>());
		}
		List<Entry> turn = new ArrayList<>(comparison.entries());
		for (int round = 1; round <= this.rounds; round++) {
			for (Entry entry : turn) {
				int size = sizes.getOrDefault(entry, comparison.warmUp());
				String name = "round " + round;
				played.getOrDefault(entry, new ArrayList<>())
					.add(this.profile.around(entry.id(), () -> play(entry, size, name)));
			}
			Collections.reverse(turn);
		}
		List<Case> cases = new ArrayList<>();
		played.forEach((entry, measurements) -> cases
			.add(new Case(comparison.name(), entry.id(), entry.title(), entry.side(), measurements)));
		return cases;
	}

	/**
	 * Plays until rounds are hardly faster than those before: compilers take their time,
	 * and much code takes more of it than little.
	 * @return the size of the rounds that count
	 */
	private int warmUp(Entry entry, Comparison comparison) throws Exception {
		Measurement first = play(entry, comparison.warmUp(), "warm-up");
		int size = comparison.size().applyAsInt(first);
		double fastest = first.eventsPerSecond();
		int signs = 0;
		for (int round = 2; signs < SIGNS && round <= comparison.mostWarmUps(); round++) {
			Measurement next = play(entry, size, "warm-up");
			size = Math.max(size, comparison.size().applyAsInt(next));
			signs = (next.eventsPerSecond() > fastest * STILL_WARMING) ? 0 : signs + 1;
			fastest = Math.max(fastest, next.eventsPerSecond());
		}
		return size;
	}

	private Measurement play(Entry entry, int events, String round) throws Exception {
		Measurement measurement = entry.play().round(events);
		String latencies = (measurement.latencies() == null) ? "" : ", p50 %.1f ms, p99 %.1f ms"
			.formatted(measurement.latencies().p50Ms(), measurement.latencies().p99Ms());
		say("  %-8s %-60s %,9d events in %6.2f s = %,9.0f/s%s%n", round, entry.title(), measurement.events(),
				measurement.usage().seconds(), measurement.eventsPerSecond(), latencies);
		return measurement;
	}

	private void say(String format, Object... arguments) {
		this.progress.printf(Locale.ROOT, format, arguments);
		this.progress.flush();
	}

}
