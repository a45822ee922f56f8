package dev.eventing.samples.benchmark.harness;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;

import dev.eventing.samples.benchmark.contender.ProjectorContender;
import dev.eventing.samples.benchmark.handwritten.BatchLoop;
import dev.eventing.samples.benchmark.handwritten.SingleTransactions;
import dev.eventing.samples.benchmark.sdk.SdkProjector;
import dev.eventing.sdk.projector.Source;

/** Who takes part in what. */
final class Comparisons {

	private static final List<Integer> LANES = List.of(1, 2, 4);

	private Comparisons() {
	}

	/** Projectors: those with a ratio first, then the others. */
	static List<ProjectorContender> projectors(boolean brief) {
		List<ProjectorContender> contenders = new ArrayList<>();
		contenders.add(new SingleTransactions());
		int defaultLanes = SdkProjector.defaultLanes();
		Set<Integer> lanes = new LinkedHashSet<>(brief ? List.of() : LANES);
		lanes.add(defaultLanes);
		for (BatchLoop.Style style : BatchLoop.Style.values()) {
			lanes.forEach((number) -> contenders.add(new BatchLoop(style, number)));
		}
		for (SdkProjector.Style style : SdkProjector.Style.values()) {
			contenders.add(SdkProjector.withDefaults(style));
			lanes.stream()
				.filter((number) -> number != defaultLanes)
				.forEach((number) -> contenders.add(new SdkProjector(style, Source.JETSTREAM, number)));
		}
		contenders.add(new SdkProjector(SdkProjector.Style.PLAIN, Source.EVENT_STORE, 0));
		if (!brief) {
			ServiceLoader.load(ProjectorContender.class).forEach(contenders::add);
		}
		return contenders;
	}

	static List<Comparison> all(Supplier<Bench> bench, Scale scale) {
		ProjectorRounds rounds = new ProjectorRounds(bench);
		return List.of(Comparison.ofRoundsInTime("projector", "Projectors: each event changes a row of a read model",
				scale, projectors(scale.brief()).stream().map(rounds::entry).toList()));
	}

}
