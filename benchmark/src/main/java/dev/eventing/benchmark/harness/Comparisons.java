package dev.eventing.benchmark.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.eventing.benchmark.contender.LiveViewContender;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.handwritten.BarePublish;
import dev.eventing.benchmark.handwritten.BatchLoop;
import dev.eventing.benchmark.handwritten.NaiveLiveView;
import dev.eventing.benchmark.handwritten.RebuildLoop;
import dev.eventing.benchmark.handwritten.SingleTransactions;
import dev.eventing.benchmark.report.Ratios;
import dev.eventing.benchmark.sdk.SdkLiveView;
import dev.eventing.benchmark.sdk.SdkProjector;
import dev.eventing.benchmark.sdk.SdkRebuild;
import dev.eventing.benchmark.sdk.SdkRelay;
import dev.eventing.benchmark.sdk.SdkStoreFed;
import dev.eventing.benchmark.sdk.SdkUpcastingRebuild;
import dev.eventing.sdk.relay.PublishMode;

/** Who takes part in what. */
final class Comparisons {

	private static final List<Integer> LANES = List.of(1, 2, 4);

	private static final List<Integer> BATCH_SIZES = List.of(100, 200, 500, 1000);

	/** The events of a transaction that appends several. */
	private static final int BATCH = 100;

	private Comparisons() {
	}

	/**
	 * Projectors of the SDK and loops by hand. Those that are compared play side by side:
	 * when the machine is slower for a minute, it is for both.
	 */
	private static List<ProjectorContender> projectors(boolean brief) {
		List<ProjectorContender> contenders = new ArrayList<>();
		contenders.add(new SingleTransactions());
		contenders.addAll(compared(brief, SdkProjector.Style.PLAIN, BatchLoop.Style.BATCH, BatchLoop.Style.BOUNDED,
				BatchLoop.Style.TEMPLATE));
		contenders.add(SdkProjector.fedByTheStore(SdkProjector.Style.PLAIN));
		contenders.addAll(compared(brief, SdkProjector.Style.DEFERRED, BatchLoop.Style.BATCHED));
		contenders.addAll(compared(brief, SdkProjector.Style.BATCH, BatchLoop.Style.SET, BatchLoop.Style.ENVELOPE));
		return contenders;
	}

	/**
	 * What is compared, on as many lanes as the SDK has by default, stands in the middle.
	 * @param explanations variants that show where a difference comes from
	 */
	private static List<ProjectorContender> compared(boolean brief, SdkProjector.Style sdk, BatchLoop.Style loop,
			BatchLoop.Style... explanations) {
		int defaultLanes = SdkProjector.defaultLanes();
		List<Integer> otherLanes = brief ? List.of() : LANES.stream().filter((lanes) -> lanes != defaultLanes).toList();
		List<ProjectorContender> contenders = new ArrayList<>();
		otherLanes.forEach((lanes) -> contenders.add(new BatchLoop(loop, lanes)));
		if (!brief) {
			Stream.of(explanations).forEach((style) -> contenders.add(new BatchLoop(style, defaultLanes)));
		}
		contenders.add(new BatchLoop(loop, defaultLanes));
		contenders.add(SdkProjector.withDefaults(sdk));
		otherLanes.forEach((lanes) -> contenders.add(SdkProjector.withLanes(sdk, lanes)));
		return contenders;
	}

	/**
	 * Peers beside those of the SDK that read where they read. After the loops by hand:
	 * what a peer brings into the JVM makes all slower that come after it, and the faster
	 * ones most.
	 */
	private static List<ProjectorContender> projectorPeers() {
		List<ProjectorContender> contenders = new ArrayList<>(
				List.of(SdkProjector.withDefaults(SdkProjector.Style.PLAIN),
						SdkProjector.fedByTheStore(SdkProjector.Style.PLAIN)));
		ServiceLoader.load(ProjectorContender.class).forEach(contenders::add);
		return contenders;
	}

	private static List<ProjectorContender> batchSizes() {
		return Stream.of(SdkProjector.Style.values())
			.flatMap((style) -> BATCH_SIZES.stream()
				.<ProjectorContender>map((size) -> SdkProjector.withBatches(style, size)))
			.toList();
	}

	/** Relays: the SDK's, what bounds it, and peers. */
	private static List<RelayContender> relays(boolean brief) {
		List<RelayContender> contenders = new ArrayList<>(
				List.of(new BarePublish(true), new SdkRelay(PublishMode.ASYNC)));
		if (!brief) {
			contenders.add(new SdkRelay(PublishMode.ATOMIC));
			ServiceLoader.load(RelayContender.class).forEach(contenders::add);
		}
		return contenders;
	}

	/** The cost of an event's headers shows only where nothing else bounds. */
	private static List<RelayContender> drained(boolean brief) {
		List<RelayContender> contenders = relays(brief);
		if (!brief) {
			contenders.add(1, new BarePublish(false));
		}
		return contenders;
	}

	/** Builds of a read model, and a projector that fills it as it fills a new one. */
	private static List<RebuildContender> rebuilds(boolean brief) {
		int lanes = SdkProjector.defaultLanes();
		List<RebuildContender> contenders = new ArrayList<>(
				List.of(new SdkRebuild(false), new SdkStoreFed(), new RebuildLoop(true, lanes), new SdkRebuild(true)));
		if (!brief) {
			contenders.add(0, new RebuildLoop(false, lanes));
		}
		return contenders;
	}

	private static List<RebuildContender> rebuildPeers() {
		List<RebuildContender> contenders = new ArrayList<>(List.of(new SdkRebuild(false), new SdkRebuild(true)));
		ServiceLoader.load(RebuildContender.class).forEach(contenders::add);
		return contenders;
	}

	/** All comparisons, in the order they are made. */
	static List<Comparison> all(Supplier<Bench> bench, Scale scale) {
		List<Comparison> all = new ArrayList<>();
		ProjectorRounds projectors = new ProjectorRounds(bench);
		all.add(Comparison.ofRoundsInTime(Ratios.PROJECTOR, "Projectors: each event changes a row of a read model",
				scale, projectors(scale.brief()).stream().map(projectors::entry).toList()));
		if (!scale.brief()) {
			all.add(Comparison.ofRoundsInTime(Ratios.PROJECTOR + "-peers", "Projectors: peers at the same work", scale,
					projectorPeers().stream().map(projectors::entry).toList()));
			all.add(Comparison.ofRoundsInTime("batch-size", "Projectors: events in one transaction, at most", scale,
					batchSizes().stream().map(projectors::entry).toList()));
		}
		RebuildRounds rebuilds = new RebuildRounds(bench);
		all.add(rebuild(Ratios.REBUILD, "Rebuilds: a read model is built again from all events", scale, rebuilds,
				rebuilds(scale.brief())));
		if (!scale.brief()) {
			all.add(rebuild(Ratios.REBUILD_PEERS, "Rebuilds: peers at the same work", scale, rebuilds, rebuildPeers()));
		}
		all.add(rebuild(Ratios.UPCASTING, "Rebuilds: with upcasters that no event needs", scale, rebuilds,
				List.of(new SdkRebuild(true), new SdkUpcastingRebuild())));
		all.addAll(beside(new BesideRounds(bench, scale.rebuiltEvents()), scale));
		RelayRounds relays = new RelayRounds(bench, scale.backlogStreams());
		all.add(Comparison.ofSize(Ratios.RELAY, "Relays: drain a backlog", scale.backlog() / 4, scale.backlog(),
				drained(scale.brief()).stream().map(relays::draining).toList()));
		for (int pace : scale.paces()) {
			all.add(Comparison.ofPace(Ratios.RELAY + "-at-" + pace, "Relays: keep up with " + pace + " events/s", scale,
					scale.pacedEvents(pace),
					relays(scale.brief()).stream().map((contender) -> relays.paced(contender, pace)).toList()));
		}
		StoreRounds store = new StoreRounds(bench);
		all.add(Comparison.ofRoundsInTime("append", "Event store: append", scale, appending(store, scale.brief())));
		all.add(Comparison
			.ofRoundsInTime(Ratios.INLINE, "Inline: append and change the read model in one transaction", scale,
					inline(new InlineRounds(bench)))
			.once(scale.brief()));
		LiveViewRounds live = new LiveViewRounds(bench);
		all.add(Comparison
			.ofRoundsInTime(Ratios.LIVE_VIEW, "Live views: events are folded into states, and these are pushed", scale,
					liveViews().stream().map(live::entry).toList())
			.once(scale.brief()));
		all.addAll(liveClients(new LiveClientRounds(bench, scale.clients()), scale));
		all.add(Comparison.ofPace(Ratios.LATENCY, "Latency: from append to a visible read model", scale,
				scale.latencyEvents(StoreRounds.PACE), List.of(store.latency())));
		all.add(Comparison.ofRoundsInTime(Ratios.GROWTH, "Growth: rows in processed_events", scale,
				grown(new GrowthRounds(bench, scale.mostRows()), scale)));
		return all;
	}

	private static Comparison rebuild(String name, String title, Scale scale, RebuildRounds rounds,
			List<RebuildContender> contenders) {
		return Comparison.ofLongRounds(name, title, scale, scale.rebuiltEvents(),
				contenders.stream().map(rounds::entry).toList());
	}

	/** A live projector while a generation is built beside it. */
	private static List<Comparison> beside(BesideRounds rounds, Scale scale) {
		int events = scale.latencyEvents(StoreRounds.PACE);
		Comparison latency = Comparison.ofLongRounds(Ratios.REBUILD_LATENCY,
				"Beside a build: from append to a visible read model", scale, events,
				scale.brief() ? List.of(rounds.latency(true)) : List.of(rounds.latency(false), rounds.latency(true)));
		if (scale.brief()) {
			return List.of(latency);
		}
		return List
			.of(Comparison.ofLongRounds(Ratios.REBUILD + "-live", "Beside a build: the live projector drains a backlog",
					scale, scale.rebuiltEvents() / 2, List.of(rounds.draining())), latency);
	}

	/** The slowest and the fastest, and what lies between. */
	private static List<Entry> appending(StoreRounds store, boolean brief) {
		return brief ? List.of(store.appending(1, 1), store.appending(4, BATCH)) : List.of(store.appending(1, 1),
				store.appending(4, 1), store.appending(1, BATCH), store.appending(4, BATCH));
	}

	private static List<Entry> inline(InlineRounds rounds) {
		return Ratios.INLINE_THREADS.stream()
			.flatMap((threads) -> Stream.of(rounds.byHand(threads), rounds.byProjector(threads)))
			.toList();
	}

	private static List<LiveViewContender> liveViews() {
		return List.of(new NaiveLiveView(), new SdkLiveView(true), new SdkLiveView(false));
	}

	private static List<Comparison> liveClients(LiveClientRounds rounds, Scale scale) {
		Comparison latency = Comparison.ofLongRounds(Ratios.LIVE_VIEW_LATENCY,
				"Live views: from append to a client over HTTP", scale, scale.latencyEvents(StoreRounds.PACE),
				List.of(rounds.latency()));
		return scale.brief() ? List.of(latency) : List.of(latency,
				Comparison.ofRoundsInTime(Ratios.LIVE_VIEW + "-fan-out",
						"Live views: frames to many clients of the same states", scale, List.of(rounds.fanOut())),
				Comparison.ofSize(Ratios.LIVE_VIEW + "-footprint", "Live views: heap of connections and followed keys",
						scale.clients(), scale.clients(), List.of(rounds.footprint())));
	}

	private static List<Entry> grown(GrowthRounds rounds, Scale scale) {
		List<Entry> entries = new ArrayList<>();
		entries.add(rounds.empty(true));
		scale.grownRows().forEach((rows) -> entries.add(rounds.grown(rows, true)));
		if (!scale.brief()) {
			entries.add(rounds.empty(false));
			entries.add(rounds.grown(scale.mostRows(), false));
		}
		entries.add(rounds.pruned());
		return entries;
	}

}
