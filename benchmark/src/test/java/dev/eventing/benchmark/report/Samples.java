package dev.eventing.benchmark.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Footprint;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import org.jspecify.annotations.Nullable;

/** Results as a run gives them. */
final class Samples {

	private Samples() {
	}

	/** Rounds of one second each, with the given events per second. */
	static Case ofSpeeds(String comparison, String contender, long... speeds) {
		return new Case(comparison, contender, contender + " & <friends>", Side.SDK, null,
				Arrays.stream(speeds)
					.mapToObj((speed) -> new Measurement(speed, new Usage(1, 0.5, 0, 0.25, 64 << 20), null))
					.toList());
	}

	/**
	 * Rounds of 1,000 events with the given microseconds of this JVM for each; of the
	 * servers twice as many.
	 */
	static Case ofMicros(String comparison, String contender, @Nullable String loopByHand, double... micros) {
		return new Case(comparison, contender, contender, Side.SDK, loopByHand,
				Arrays.stream(micros)
					.mapToObj(
							(each) -> new Measurement(1_000, new Usage(1, each / 1_000, 0, each / 500, 64 << 20), null))
					.toList());
	}

	static Case ofLatencies(double p50, double p99) {
		return new Case(Ratios.LATENCY, "sdk-latency", "SDK", Side.SDK, null,
				List.of(new Measurement(100, new Usage(1, 0.5, 0, 0.25, 64 << 20), new Latencies(p50, p99, 0))));
	}

	static Case ofFootprint(double perConnection, double perKey) {
		return new Case("live-view-footprint", "sdk", "SDK", Side.SDK, null, List.of(new Measurement(100,
				new Usage(1, 0.5, 0, 0.25, 64 << 20), null, new Footprint(perConnection, perKey))));
	}

	static Results of(Case... cases) {
		return new Results(Map.of("processors", 2), Map.of("java", "17"), Map.of("rounds", 3), List.of(cases));
	}

}
