package dev.eventing.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Footprint;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Spread;

/** The results, as tables for a terminal. */
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
			lines.addAll(figures(results, cases));
		});
		lines.add("");
		lines.add(
				judged ? "targets" : "targets of a full run; rounds as short as these tell little, and are not judged");
		lines.addAll(targets(ratios, judged));
		return lines;
	}

	private static List<String> figures(Results results, List<Case> cases) {
		boolean beside = cases.stream().anyMatch((each) -> results.loopByHand(each).isPresent());
		boolean latencies = cases.stream().anyMatch((each) -> !each.latencies().isEmpty());
		boolean footprints = cases.stream().anyMatch((each) -> !each.footprints().isEmpty());
		List<Column> columns = Stream
			.of(new Column("contender", Case::title),
					new Column("events", (each) -> number((double) each.rounds().get(0).events())),
					new Column("seconds", (each) -> text(median(each, (round) -> round.usage().seconds()))),
					new Column("events/s", (each) -> number(each.eventsPerSecond().median())),
					new Column("min", (each) -> number(each.eventsPerSecond().min())),
					new Column("max", (each) -> number(each.eventsPerSecond().max())),
					latencies ? new Column("p50 ms", (each) -> latency(each, 50)) : null,
					latencies ? new Column("p99 ms", (each) -> latency(each, 99)) : null,
					latencies ? new Column("still ms", ResultsText::late) : null,
					footprints ? new Column("bytes/connection", (each) -> bytes(each, Footprint::bytesPerConnection))
							: null,
					footprints ? new Column("bytes/key", (each) -> bytes(each, Footprint::bytesPerKey)) : null,
					new Column("CPU us/event", (each) -> micros(each.cpuMicrosPerEvent())),
					beside ? Column.besideLoop(results, Case::cpuMicrosPerEvent) : null,
					new Column("server us/event", (each) -> micros(each.serverCpuMicrosPerEvent())),
					beside ? Column.besideLoop(results, Case::serverCpuMicrosPerEvent) : null,
					new Column("peak heap MB",
							(each) -> number(median(each, (round) -> round.usage().peakHeapBytes() >> 20))))
			.flatMap(Stream::ofNullable)
			.toList();
		TextTable table = new TextTable(columns.stream().map(Column::head).toArray(String[]::new));
		cases.forEach((each) -> table.row(columns.stream().map((column) -> column.cell().apply(each)).toArray()));
		return table.lines();
	}

	private static double median(Case measured, ToDoubleFunction<Measurement> value) {
		return Spread.of(measured.rounds(), value).median();
	}

	private static String latency(Case measured, int percent) {
		List<Latencies> latencies = measured.latencies();
		return latencies.isEmpty() ? ""
				: text(Spread.of(latencies, (percent == 50) ? Latencies::p50Ms : Latencies::p99Ms).median());
	}

	private static String bytes(Case measured, ToDoubleFunction<Footprint> figure) {
		List<Footprint> footprints = measured.footprints();
		return footprints.isEmpty() ? "" : number(Spread.of(footprints, figure).median());
	}

	/** For how long the machine stood still. */
	private static String late(Case measured) {
		List<Latencies> latencies = measured.latencies();
		return latencies.isEmpty() ? "" : number(Spread.of(latencies, Latencies::lateMs).median());
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

	private static String micros(Spread spread) {
		return String.format(Locale.ROOT, "%.1f", spread.median());
	}

	private static String number(double value) {
		return String.format(Locale.ROOT, "%,.0f", value);
	}

	private static String text(double value) {
		return String.format(Locale.ROOT, "%.2f", value);
	}

	/**
	 * A figure of each contender.
	 *
	 * @param head what it is
	 * @param cell the figure as text
	 */
	private record Column(String head, Function<Case, String> cell) {

		/** The figure before it, beside the same of the loop by hand of the same kind. */
		static Column besideLoop(Results results, Function<Case, Spread> figure) {
			return new Column("/ by hand",
					(each) -> results.besideLoop(each, figure).map(ResultsText::text).orElse(""));
		}

	}

}
