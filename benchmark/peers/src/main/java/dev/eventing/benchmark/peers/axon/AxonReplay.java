package dev.eventing.benchmark.peers.axon;

import java.sql.SQLException;

import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;

/**
 * Axon's reset and replay with its faster processor: the processor has met the last
 * event, is stopped, reset to the first one, and started again.
 */
public final class AxonReplay implements RebuildContender {

	@Override
	public String id() {
		return "axon-replay";
	}

	@Override
	public String title() {
		return "Axon Framework 4, reset and replay, tracking processor, %d segments"
			.formatted(Processor.Batches.tuned().segments());
	}

	@Override
	public Rebuild prepare(ProjectorRound round) {
		return new Run(new AxonApplication(round, Processor.RESET, Processor.Batches.tuned()));
	}

	private record Run(AxonApplication application) implements Rebuild {

		@Override
		public void begin() {
			this.application.reset();
		}

		@Override
		public void run() throws SQLException, InterruptedException {
			this.application.replay();
		}

		@Override
		public void close() {
			this.application.close();
		}

	}

}
