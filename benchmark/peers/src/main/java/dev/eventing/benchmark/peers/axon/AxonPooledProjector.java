package dev.eventing.benchmark.peers.axon;

import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;

/** Axon's pooled streaming processor. */
public final class AxonPooledProjector implements ProjectorContender {

	@Override
	public String id() {
		return "axon-pooled";
	}

	@Override
	public String title() {
		return "Axon Framework 4, pooled streaming processor, %d segments"
			.formatted(Processor.Batches.tuned().segments());
	}

	@Override
	public Projection prepare(ProjectorRound round) {
		return new AxonApplication(round, Processor.POOLED, Processor.Batches.tuned());
	}

}
