package dev.eventing.benchmark.peers.axon;

import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;

/** Axon's tracking processor. */
public final class AxonTrackingProjector implements ProjectorContender {

	@Override
	public String id() {
		return "axon-tracking";
	}

	@Override
	public String title() {
		return "Axon Framework 4, tracking processor, %d segments".formatted(Processor.Batches.tuned().segments());
	}

	@Override
	public Projection prepare(ProjectorRound round) {
		return new AxonApplication(round, Processor.TRACKING, Processor.Batches.tuned());
	}

}
