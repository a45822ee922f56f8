package dev.eventing.benchmark.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Spread;

/**
 * The results, as bars: a chart for each comparison, and two of processor time where
 * there are loops by hand to compare with. Bars are medians, a line goes from the
 * smallest to the largest round. Readable on light and on dark ground.
 */
public final class ResultsPlot {

	private static final int WIDTH = 1_040;

	private static final int LABEL = 480;

	private static final int BAR = 430;

	private static final int ROW = 22;

	private static final int HEAD = 40;

	private static final String STYLE = """
			text { font: 13px sans-serif; fill: #24292f }
			.head { font-weight: bold }
			.handwritten { fill: #8c959f } .sdk { fill: #2f81f7 } .peer { fill: #d4862b }
			.spread { stroke: #57606a; stroke-width: 2 }
			@media (prefers-color-scheme: dark) { text { fill: #d0d7de } .spread { stroke: #d0d7de } }
			""";

	private final Results results;

	private final StringBuilder svg = new StringBuilder();

	private int y = 4;

	private ResultsPlot(Results results) {
		this.results = results;
	}

	/** The plot as SVG. */
	public static String of(Results results) {
		Map<String, List<Case>> comparisons = new LinkedHashMap<>();
		results.cases()
			.forEach((each) -> comparisons.computeIfAbsent(each.comparison(), (name) -> new ArrayList<>()).add(each));
		ResultsPlot plot = new ResultsPlot(results);
		comparisons.forEach(plot::charts);
		return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">%n<title>Events per second, milliseconds, CPU per event</title>%n<style>%n%s</style>%n%s</svg>%n"
			.formatted(WIDTH, plot.y + ROW, WIDTH, plot.y + ROW, STYLE, plot.svg);
	}

	private void charts(String name, List<Case> cases) {
		if (cases.stream().noneMatch((each) -> each.latencies().isEmpty())) {
			chart(name + ": p99 in ms (less is better)", cases,
					(each) -> Spread.of(each.latencies(), Latencies::p99Ms));
			return;
		}
		chart(name + ": events per second", cases, Case::eventsPerSecond);
		if (cases.stream().anyMatch((each) -> this.results.loopByHand(each).isPresent())) {
			chart(name + ": CPU of the JVM in µs per event (less is better)", cases, Case::cpuMicrosPerEvent);
			chart(name + ": CPU of the servers in µs per event (less is better)", cases, Case::serverCpuMicrosPerEvent);
		}
	}

	private void chart(String head, List<Case> cases, Function<Case, Spread> figure) {
		this.y += HEAD;
		text(10, "head", head);
		List<Spread> spreads = cases.stream().map(figure).toList();
		double longest = spreads.stream().mapToDouble(Spread::max).max().orElse(1);
		for (int i = 0; i < cases.size(); i++) {
			bar(cases.get(i), spreads.get(i), longest);
		}
	}

	private void bar(Case measured, Spread spread, double longest) {
		this.y += ROW;
		text(10, "label", measured.title());
		add("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
				measured.side().name().toLowerCase(Locale.ROOT), LABEL, this.y - 13, x(spread.median(), longest),
				ROW - 6);
		add("<line class=\"spread\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", LABEL + x(spread.min(), longest),
				this.y - 5, LABEL + x(spread.max(), longest), this.y - 5);
		text(LABEL + BAR + 10, "value",
				String.format(Locale.ROOT, (longest < 1_000) ? "%,.1f" : "%,.0f", spread.median()));
	}

	private static double x(double value, double longest) {
		return (longest > 0) ? BAR * value / longest : 0;
	}

	private void text(int x, String kind, String text) {
		add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", kind, x, this.y,
				text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"));
	}

	private void add(String format, Object... arguments) {
		this.svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
	}

}
