package dev.eventing.samples.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.eventing.samples.benchmark.measure.Case;
import dev.eventing.samples.benchmark.measure.Latencies;
import dev.eventing.samples.benchmark.measure.Measurement;
import dev.eventing.samples.benchmark.measure.Spread;

/** What came out, as tables for a terminal. */
public final class ResultsText {

	private ResultsText() {
	}

	/**
	 * A table for each comparison, and one of the ratios.
	 * @param judged whether to say which targets are met; short rounds of compilers at
	 * work do not tell
	 */
	public static List<String> lines(Results results, List<Ratio> ratios, boolean judged) {
		Map<String, List<Case>> comparisons = new LinkedHashMap<>();
		results.cases()
			.forEach((each) -> comparisons.computeIfAbsent(each.comparison(), (name) -> new ArrayList<>()).add(each));
		List<String> lines = new ArrayList<>();
		comparisons.forEach((name, cases) -> {
			lines.add("");
			lines.add(name + " (median of rounds; server CPU is of NATS and PostgreSQL)");
			lines.addAll(speeds(cases));
		});
		lines.add("");
		lines.add(
				judged ? "targets" : "targets of a full run; rounds as short as these tell little, and are not judged");
		lines.addAll(targets(ratios, judged));
		return lines;
	}

	private static List<String> speeds(List<Case> cases) {
		TextTable table = new TextTable("contender", "events", "seconds", "events/s", "min", "max", "p50 ms", "p99 ms",
				"CPU s", "server CPU s", "peak heap MB");
		for (Case each : cases) {
			List<Measurement> rounds = each.rounds();
			Spread speed = each.eventsPerSecond();
			table.row(each.title(), number((double) rounds.get(0).events()),
					text(Spread.of(rounds, (round) -> round.usage().seconds()).median()), number(speed.median()),
					number(speed.min()), number(speed.max()), latency(each, 50), latency(each, 99),
					text(Spread.of(rounds, (round) -> round.usage().cpuSeconds()).median()),
					text(Spread.of(rounds, (round) -> round.usage().serverCpuSeconds()).median()),
					number(Spread.of(rounds, (round) -> round.usage().peakHeapBytes() >> 20).median()));
		}
		return table.lines();
	}

	private static String latency(Case measured, int percent) {
		List<Latencies> latencies = measured.latencies();
		return latencies.isEmpty() ? ""
				: text(Spread.of(latencies, (percent == 50) ? Latencies::p50Ms : Latencies::p99Ms).median());
	}

	private static List<String> targets(List<Ratio> ratios, boolean judged) {
		TextTable table = new TextTable("what", "name", "figure", "target", "");
		for (Ratio ratio : ratios) {
			Boolean met = ratio.met();
			table.row(ratio.text(), ratio.name(), (ratio.value() != null) ? text(ratio.value()) : "-", ratio.target(),
					(met == null) ? "not measured" : !judged ? "" : met ? "met" : "NOT MET");
		}
		return table.lines();
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, "%,.0f", value);
	}

	private static String text(double value) {
		return String.format(Locale.ROOT, "%.2f", value);
	}

}
