package dev.eventing.benchmark.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Footprint;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Spread;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes {@code results.json}. */
public final class ResultsJson {

	private static final double BYTES_PER_MEGABYTE = 1 << 20;

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private ResultsJson() {
	}

	/** All that came out, as one JSON object. */
	public static String of(Results results, List<Ratio> ratios) {
		Map<String, Object> root = new LinkedHashMap<>();
		root.put("machine", results.machine());
		root.put("versions", results.versions());
		root.put("settings", results.settings());
		root.put("ratios", values(ratios));
		root.put("targets", targets(ratios));
		root.put("cases", results.cases().stream().map((each) -> ofCase(results, each)).toList());
		return MAPPER.writeValueAsString(root) + "\n";
	}

	private static Map<String, @Nullable Object> values(List<Ratio> ratios) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		ratios.forEach((ratio) -> values.put(ratio.name(), (ratio.value() != null) ? rounded(ratio.value()) : null));
		return values;
	}

	private static Map<String, Object> targets(List<Ratio> ratios) {
		Map<String, Object> targets = new LinkedHashMap<>();
		for (Ratio ratio : ratios) {
			Map<String, @Nullable Object> target = new LinkedHashMap<>();
			target.put("target", ratio.target().toString());
			target.put("met", ratio.met());
			targets.put(ratio.name(), target);
		}
		return targets;
	}

	private static Map<String, @Nullable Object> ofCase(Results results, Case measured) {
		List<Measurement> rounds = measured.rounds();
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("comparison", measured.comparison());
		json.put("contender", measured.contender());
		json.put("title", measured.title());
		json.put("side", measured.side().name().toLowerCase(Locale.ROOT));
		json.put("events", rounds.get(0).events());
		json.put("seconds", rounded(Spread.of(rounds, (round) -> round.usage().seconds()).median()));
		Spread speed = measured.eventsPerSecond();
		json.put("eventsPerSecond", Math.round(speed.median()));
		json.put("eventsPerSecondMin", Math.round(speed.min()));
		json.put("eventsPerSecondMax", Math.round(speed.max()));
		List<Latencies> latencies = measured.latencies();
		if (latencies.isEmpty()) {
			json.put("p50Ms", null);
			json.put("p99Ms", null);
			json.put("machineLateMs", null);
		}
		else {
			json.put("p50Ms", rounded(Spread.of(latencies, Latencies::p50Ms).median()));
			json.put("p99Ms", rounded(Spread.of(latencies, Latencies::p99Ms).median()));
			json.put("machineLateMs", rounded(Spread.of(latencies, Latencies::lateMs).median()));
		}
		List<Footprint> footprints = measured.footprints();
		if (!footprints.isEmpty()) {
			json.put("heapBytesPerConnection",
					Math.round(Spread.of(footprints, Footprint::bytesPerConnection).median()));
			json.put("heapBytesPerKey", Math.round(Spread.of(footprints, Footprint::bytesPerKey).median()));
		}
		json.put("cpuSeconds", rounded(Spread.of(rounds, (round) -> round.usage().cpuSeconds()).median()));
		json.put("serverCpuSeconds", rounded(Spread.of(rounds, (round) -> round.usage().serverCpuSeconds()).median()));
		json.put("cpuMicrosPerEvent", rounded(measured.cpuMicrosPerEvent().median()));
		json.put("serverCpuMicrosPerEvent", rounded(measured.serverCpuMicrosPerEvent().median()));
		json.put("loopByHand", measured.loopByHand());
		json.put("cpuVsHandWritten",
				results.besideLoop(measured, Case::cpuMicrosPerEvent).map(ResultsJson::rounded).orElse(null));
		json.put("serverCpuVsHandWritten",
				results.besideLoop(measured, Case::serverCpuMicrosPerEvent).map(ResultsJson::rounded).orElse(null));
		json.put("peakHeapMb",
				rounded(Spread.of(rounds, (round) -> round.usage().peakHeapBytes() / BYTES_PER_MEGABYTE).median()));
		json.put("rounds", rounds.stream().map((round) -> Math.round(round.eventsPerSecond())).toList());
		json.put("roundsCpuMicrosPerEvent",
				rounds.stream().map((round) -> rounded(round.cpuMicrosPerEvent())).toList());
		json.put("roundsServerCpuMicrosPerEvent",
				rounds.stream().map((round) -> rounded(round.serverCpuMicrosPerEvent())).toList());
		return json;
	}

	private static double rounded(double value) {
		return Math.round(value * 1000) / 1000.0;
	}

}
