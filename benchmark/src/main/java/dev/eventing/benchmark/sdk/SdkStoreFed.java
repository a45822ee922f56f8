package dev.eventing.benchmark.sdk;

import java.util.concurrent.TimeoutException;

import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.contender.Side;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A new projector that reads the event store from its first event on, as all projectors
 * do: with claims.
 */
public record SdkStoreFed() implements RebuildContender {

	@Override
	public String id() {
		return "sdk-store-fed";
	}

	@Override
	public String title() {
		return "SDK: new projector fed by the event store, plain handler, " + SdkProjector.defaultLanes() + " lanes";
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public Rebuild prepare(ProjectorRound round) {
		return new Run(SdkApplication.ready(round, (application) -> application.registerBean(UpsertHandler.class)),
				round);
	}

	private record Run(AnnotationConfigApplicationContext context, ProjectorRound round) implements Rebuild {

		@Override
		public void begin() {
			// the read model is empty
		}

		@Override
		public void run() throws TimeoutException {
			this.context.start();
			SdkProjector.awaitProcessed(this.context, this.round);
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
