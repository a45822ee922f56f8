package dev.eventing.benchmark.harness;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Measurement;

/** Lets the contenders of a comparison play their rounds in turns. */
final class Rounds {

	/**
	 * A contender is warm when the JVM's compilers took no more than this part of the
	 * processor time of a round. Speed is no measure: it depends on what else the machine
	 * does, and of a given pace it is always the same.
	 */
	private static final double WARM = 0.05;

	private final int rounds;

	private final Profile profile;

	private final PrintWriter progress;

	Rounds(int rounds, Profile profile, PrintWriter progress) {
		this.rounds = rounds;
		this.profile = profile;
		this.progress = progress;
	}

	/**
	 * Plays rounds that do not count, then the others in turns, each turn in the opposite
	 * order of the one before, so that no contender is always the first.
	 */
	List<Case> play(Comparison comparison) throws Exception {
		say("%s%n", comparison.title());
		Map<Entry, Integer> sizes = warmUp(comparison);
		Map<Entry, List<Measurement>> played = new LinkedHashMap<>();
		comparison.entries().forEach((entry) -> played.put(entry, new ArrayList<>()));
		List<Entry> turn = new ArrayList<>(comparison.entries());
		for (int round = 1; round <= Math.min(this.rounds, comparison.mostRounds()); round++) {
			for (Entry entry : turn) {
				int size = sizes.getOrDefault(entry, comparison.warmUp());
				String name = "round " + round;
				played.getOrDefault(entry, new ArrayList<>())
					.add(this.profile.around(entry.id(), () -> play(entry, size, name)));
			}
			Collections.reverse(turn);
		}
		List<Case> cases = new ArrayList<>();
		played.forEach((entry, measurements) -> cases.add(new Case(comparison.name(), entry.id(), entry.title(),
				entry.side(), entry.loopByHand(), measurements)));
		return cases;
	}

	/**
	 * Lets all play in turns until all are warm: at first the compilers take more of the
	 * processor time than the work does, and much code keeps them busy for longer than
	 * little. In turns, because what another contender does with the same classes makes
	 * them compile again.
	 * @return the sizes of the rounds that count
	 */
	private Map<Entry, Integer> warmUp(Comparison comparison) throws Exception {
		Map<Entry, Integer> sizes = new LinkedHashMap<>();
		for (Entry entry : comparison.entries()) {
			sizes.put(entry, comparison.size().applyAsInt(play(entry, comparison.warmUp(), "warm-up")));
		}
		boolean warm = false;
		for (int round = 2; !warm && round <= comparison.mostWarmUps(); round++) {
			warm = true;
			for (Map.Entry<Entry, Integer> each : sizes.entrySet()) {
				Measurement next = play(each.getKey(), each.getValue(), "warm-up");
				each.setValue(Math.max(each.getValue(), comparison.size().applyAsInt(next)));
				warm &= next.compilersShare() <= WARM;
			}
		}
		return sizes;
	}

	private Measurement play(Entry entry, int events, String round) throws Exception {
		Measurement measurement = entry.play().round(events);
		String latencies = (measurement.latencies() == null) ? ""
				: ", p50 %.1f ms, p99 %.1f ms (the machine stood still for %.0f ms)".formatted(
						measurement.latencies().p50Ms(), measurement.latencies().p99Ms(),
						measurement.latencies().lateMs());
		say("  %-8s %-60s %,9d events in %6.2f s = %,9.0f/s, CPU %.1f + %.1f us/event, compilers %.0f %%%s%n", round,
				entry.title(), measurement.events(), measurement.usage().seconds(), measurement.eventsPerSecond(),
				measurement.cpuMicrosPerEvent(), measurement.serverCpuMicrosPerEvent(),
				measurement.compilersShare() * 100, latencies);
		return measurement;
	}

	private void say(String format, Object... arguments) {
		this.progress.printf(Locale.ROOT, format, arguments);
		this.progress.flush();
	}

}
