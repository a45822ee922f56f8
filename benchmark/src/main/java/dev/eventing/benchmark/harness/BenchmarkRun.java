package dev.eventing.benchmark.harness;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.report.Results;

/** A run of the benchmark, from starting the servers to ending them. */
public final class BenchmarkRun {

	private final Scale scale;

	private final Set<String> only;

	private final Set<String> contenders;

	private final Profile profile;

	private final PrintWriter progress;

	/**
	 * Starts nothing yet.
	 * @param scale how much to measure
	 * @param only the names of the comparisons to make; empty for all
	 * @param contenders the ids of the contenders that take part; empty for all
	 * @param profile whose rounds to record
	 * @param progress gets a line for each round
	 */
	public BenchmarkRun(Scale scale, Set<String> only, Set<String> contenders, Profile profile, PrintWriter progress) {
		this.scale = scale;
		this.only = Set.copyOf(only);
		this.contenders = Set.copyOf(contenders);
		this.profile = profile;
		this.progress = progress;
	}

	/**
	 * Measures on servers of this run alone, which are ended in any case.
	 * @throws WrongResultException if a contender did not do what it was to do
	 */
	public Results run() throws Exception {
		try (Servers servers = Servers.start(); Bench bench = Bench.on(servers, this.scale)) {
			List<Case> cases = new ArrayList<>();
			Rounds rounds = new Rounds(this.scale.rounds(), this.profile, this.progress);
			for (Comparison comparison : Comparisons.all(() -> bench, this.scale)) {
				Comparison chosen = comparison.of(this.contenders);
				if (!chosen.entries().isEmpty() && (this.only.isEmpty() || this.only.contains(comparison.name()))) {
					cases.addAll(rounds.play(chosen));
				}
			}
			return BenchmarkEnvironment.of(bench, this.scale).with(cases);
		}
	}

}
