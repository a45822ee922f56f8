package dev.eventing.samples.benchmark.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

import dev.eventing.samples.benchmark.measure.Latencies;
import dev.eventing.samples.benchmark.measure.Spread;
import dev.eventing.samples.benchmark.report.Ratio.Target;
import org.jspecify.annotations.Nullable;

/** Makes the figures that have targets, of the medians of one run. */
public final class Ratios {

	/** The names of the comparisons and contenders the figures are made of. */
	public static final String PROJECTOR = "projector";

	/** The relays that drain a backlog. */
	public static final String RELAY = "relay";

	/** The growing of {@code processed_events}. */
	public static final String GROWTH = "growth";

	/** From append to read model. */
	public static final String LATENCY = "latency";

	/** The id of Debezium Engine, of the module {@code peers}. */
	public static final String DEBEZIUM = "debezium";

	/** The one ratio that is null without peers. */
	public static final String OF_PEERS = "relayVsDebezium";

	private final Results results;

	private final int lanes;

	private Ratios(Results results, int lanes) {
		this.results = results;
		this.lanes = lanes;
	}

	/**
	 * All ratios.
	 * @param lanes how many lanes a projector has by default; it is compared with loops
	 * that have as many
	 */
	public static List<Ratio> of(Results results, int lanes) {
		return new Ratios(results, lanes).all();
	}

	private List<Ratio> all() {
		String single = "handwritten-single";
		return List.of(
				projector("plainVsSingleTx", "plain handler / one transaction per event by hand", "sdk-plain", single,
						12),
				projector("plainVsHandWrittenBatch", "plain handler / batches by hand, as many lanes", "sdk-plain",
						"handwritten-batch-" + this.lanes, 0.9),
				projector("deferredVsSingleTx", "deferred writes / one transaction per event by hand", "sdk-deferred",
						single, 20),
				projector("deferredVsHandWrittenBatched", "deferred writes / JDBC-batched by hand, as many lanes",
						"sdk-deferred", "handwritten-batched-" + this.lanes, 0.85),
				projector("batchHandlerVsSetBased", "batch handler / set-based by hand, as many lanes", "sdk-batch",
						"handwritten-set-" + this.lanes, 0.9),
				ratio("relayVsBarePublish", "relay / bare publishAsync loop", RELAY, "sdk-relay", "bare-publish", 0.8),
				ratio(OF_PEERS, "relay / Debezium Engine", RELAY, "sdk-relay", DEBEZIUM, 4),
				projector("storeFedVsStreamFed", "plain handler fed by the event store / by JetStream",
						"sdk-plain-store", "sdk-plain", 1),
				ratio("grown10MVsEmpty", "plain handler, most rows in processed_events / none", GROWTH, "v7-most",
						"v7-empty", 0.9),
				latency("latencyP50Ms", "append to visible at 100 events/s, p50 in ms", Latencies::p50Ms, 10),
				latency("latencyP99Ms", "append to visible at 100 events/s, p99 in ms", Latencies::p99Ms, 50));
	}

	private Ratio projector(String name, String text, String contender, String against, double least) {
		return ratio(name, text, PROJECTOR, contender, against, least);
	}

	private Ratio ratio(String name, String text, String comparison, String contender, String against, double least) {
		@Nullable Double above = median(comparison, contender);
		@Nullable Double below = median(comparison, against);
		return new Ratio(name, text, (above == null || below == null) ? null : above / below, Target.atLeast(least));
	}

	private @Nullable Double median(String comparison, String contender) {
		return this.results.find(comparison, contender).map((found) -> found.eventsPerSecond().median()).orElse(null);
	}

	private Ratio latency(String name, String text, ToDoubleFunction<Latencies> value, double most) {
		return new Ratio(name, text,
				this.results.find(LATENCY, "sdk-latency")
					.map((found) -> Spread.of(found.latencies(), value).median())
					.orElse(null),
				Target.below(most));
	}

}
