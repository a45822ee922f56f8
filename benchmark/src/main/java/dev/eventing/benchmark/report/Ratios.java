package dev.eventing.benchmark.report;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Spread;
import dev.eventing.benchmark.report.Ratio.Target;
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

	/** Rebuilds of a read model. */
	public static final String REBUILD = "rebuild";

	/** The same with peers. */
	public static final String REBUILD_PEERS = "rebuild-peers";

	/** From append to read model while a generation is built beside it. */
	public static final String REBUILD_LATENCY = "rebuild-latency";

	/** Append and change the read model in one transaction. */
	public static final String INLINE = "inline";

	/** The ids of those who do it by hand and by a projector, without their threads. */
	public static final String APPEND_BY_HAND = "handwritten-append-update-";

	/** See {@link #APPEND_BY_HAND}. */
	public static final String INLINE_PROJECTOR = "sdk-inline-";

	/** How many threads append. */
	public static final List<Integer> INLINE_THREADS = List.of(1, 4);

	/** Building a read model with and without upcasters. */
	public static final String UPCASTING = "upcasting";

	/** Folding events into states that are pushed. */
	public static final String LIVE_VIEW = "live-view";

	/** From append to a client of a live view. */
	public static final String LIVE_VIEW_LATENCY = "live-view-latency";

	/** The id of the node that serves a live view to clients. */
	public static final String LIVE_VIEW_CLIENTS = "sdk-live-view-clients";

	/** The id of Axon's reset and replay, of the module {@code peers}. */
	public static final String AXON_REPLAY = "axon-replay";

	/** The ratios that are null without peers. */
	public static final Set<String> OF_PEERS = Set.of("relayVsDebezium", "rebuildVsAxonReplay",
			"rebuildDeferredVsAxonReplay");

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
		String batch = "handwritten-batch-" + this.lanes;
		String batched = "handwritten-batched-" + this.lanes;
		String set = "handwritten-set-" + this.lanes;
		return List.of(
				projector("plainVsSingleTx", "plain handler / one transaction per event by hand", "sdk-plain", single,
						12),
				projector("plainVsHandWrittenBatch", "plain handler / batches by hand, as many lanes", "sdk-plain",
						batch, 0.95),
				cpu("plainCpuVsHandWritten", "CPU per event: plain handler / batches by hand, as many lanes",
						"sdk-plain", batch, 1.1),
				projector("deferredVsSingleTx", "deferred writes / one transaction per event by hand", "sdk-deferred",
						single, 20),
				projector("deferredVsHandWrittenBatched", "deferred writes / JDBC-batched by hand, as many lanes",
						"sdk-deferred", batched, 0.95),
				cpu("deferredCpuVsHandWritten", "CPU per event: deferred writes / JDBC-batched by hand, as many lanes",
						"sdk-deferred", batched, 1.1),
				projector("batchHandlerVsSetBased", "batch handler / set-based by hand, as many lanes", "sdk-batch",
						set, 0.95),
				cpu("batchCpuVsHandWritten", "CPU per event: batch handler / set-based by hand, as many lanes",
						"sdk-batch", set, 1.05),
				ratio("relayVsBarePublish", "relay / bare publishAsync loop", RELAY, "sdk-relay", "bare-publish", 0.8),
				ratio("relayVsDebezium", "relay / Debezium Engine", RELAY, "sdk-relay", DEBEZIUM, 4),
				projector("storeFedVsStreamFed", "plain handler fed by the event store / by JetStream",
						"sdk-plain-store", "sdk-plain", 1),
				ratio("grown10MVsEmpty", "plain handler, most rows in processed_events / none", GROWTH, "v7-most",
						"v7-empty", 0.9),
				rebuild("rebuildVsStoreFed", "build beside, plain handler / new projector fed by the event store",
						"sdk-rebuild", "sdk-store-fed", 1.1),
				rebuild("rebuildDeferredVsHandWritten", "build beside, deferred writes / by hand, as many lanes",
						"sdk-rebuild-deferred", "handwritten-rebuild-batched-" + this.lanes, 0.85),
				ratio("rebuildVsAxonReplay", "build beside, plain handler / Axon's replay", REBUILD_PEERS,
						"sdk-rebuild", AXON_REPLAY, 1.2),
				ratio("rebuildDeferredVsAxonReplay", "build beside, deferred writes / Axon's replay", REBUILD_PEERS,
						"sdk-rebuild-deferred", AXON_REPLAY, 1.5),
				new Ratio("latencyP50Ms", "append to visible at 100 events/s, p50 in ms",
						latency(LATENCY, "sdk-latency", Latencies::p50Ms), Target.below(10)),
				new Ratio("latencyP99Ms", "append to visible at 100 events/s, p99 in ms",
						latency(LATENCY, "sdk-latency", Latencies::p99Ms), Target.below(50)),
				new Ratio("latencyBesideBuildP99Ms", "append to visible at 100 events/s beside a build, p99 in ms",
						latency(REBUILD_LATENCY, "sdk-latency-store-beside-build", Latencies::p99Ms), Target.below(50)),
				new Ratio("inlineVsHandWritten", "inline projector / append and update by hand, 1 or 4 threads",
						inline(), Target.atLeast(0.88)),
				ratio("upcastingVsPlainBuild", "build of present events with upcasters / without", UPCASTING,
						"sdk-rebuild-deferred-upcasters", "sdk-rebuild-deferred", 0.95),
				ratio("liveViewVsNaive", "live view / load, fold, update and broadcast by hand", LIVE_VIEW,
						"sdk-live-view", "handwritten-live-view", 10),
				ratio("liveViewVsBatchHandler", "live view / batch handler that upserts", LIVE_VIEW, "sdk-live-view",
						"sdk-batch-upsert", 0.6),
				new Ratio("liveViewP50Ms", "append to client of a live view at 100 events/s, p50 in ms",
						latency(LIVE_VIEW_LATENCY, LIVE_VIEW_CLIENTS, Latencies::p50Ms), Target.below(15)),
				new Ratio("liveViewP99Ms", "append to client of a live view at 100 events/s, p99 in ms",
						latency(LIVE_VIEW_LATENCY, LIVE_VIEW_CLIENTS, Latencies::p99Ms), Target.below(50)));
	}

	/** The smallest of all numbers of threads; null unless all were measured. */
	private @Nullable Double inline() {
		@Nullable Double least = null;
		for (int threads : INLINE_THREADS) {
			@Nullable Double ratio = ofMedians(INLINE, INLINE_PROJECTOR + threads, APPEND_BY_HAND + threads,
					Case::eventsPerSecond);
			if (ratio == null) {
				return null;
			}
			least = (least == null) ? ratio : Math.min(least, ratio);
		}
		return least;
	}

	private Ratio rebuild(String name, String text, String contender, String against, double least) {
		return ratio(name, text, REBUILD, contender, against, least);
	}

	private Ratio projector(String name, String text, String contender, String against, double least) {
		return ratio(name, text, PROJECTOR, contender, against, least);
	}

	/** Of the processor time of this JVM. */
	private Ratio cpu(String name, String text, String contender, String against, double most) {
		return new Ratio(name, text, ofMedians(PROJECTOR, contender, against, Case::cpuMicrosPerEvent),
				Target.atMost(most));
	}

	private Ratio ratio(String name, String text, String comparison, String contender, String against, double least) {
		return new Ratio(name, text, ofMedians(comparison, contender, against, Case::eventsPerSecond),
				Target.atLeast(least));
	}

	private @Nullable Double ofMedians(String comparison, String contender, String against,
			Function<Case, Spread> figure) {
		@Nullable Double above = median(comparison, contender, figure);
		@Nullable Double below = median(comparison, against, figure);
		return (above == null || below == null) ? null : Ratio.quotient(above, below);
	}

	private @Nullable Double median(String comparison, String contender, Function<Case, Spread> figure) {
		return this.results.find(comparison, contender).map((found) -> figure.apply(found).median()).orElse(null);
	}

	private @Nullable Double latency(String comparison, String contender, ToDoubleFunction<Latencies> value) {
		return this.results.find(comparison, contender)
			.map((found) -> Spread.of(found.latencies(), value).median())
			.orElse(null);
	}

}
