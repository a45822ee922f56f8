package dev.eventing.benchmark.sdk;

import java.sql.SQLException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.contender.Side;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A generation that is built beside the live one. The live one has met the last event.
 *
 * @param deferred whether its handler hands its statements over
 */
public record SdkRebuild(boolean deferred) implements RebuildContender {

	@Override
	public String id() {
		return "sdk-rebuild" + (this.deferred ? "-deferred" : "");
	}

	@Override
	public String title() {
		return "SDK: build beside the live generation, " + (this.deferred ? "deferred writes" : "plain handler") + ", "
				+ SdkProjector.defaultLanes() + " lanes";
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public Rebuild prepare(ProjectorRound round) throws Exception {
		return prepare(round,
				(context) -> context.register(this.deferred ? DeferredUpsertHandler.class : UpsertHandler.class));
	}

	/** With these beans, one of which has the handler. */
	static Rebuild prepare(ProjectorRound round, Consumer<AnnotationConfigApplicationContext> beans)
			throws SQLException {
		StoredChanges.settle(round.jdbcUrl(), round.projector());
		AnnotationConfigApplicationContext context = SdkApplication.ready(round, beans);
		context.start();
		return new Run(context, new Build(context, round.projector()));
	}

	private record Run(AnnotationConfigApplicationContext context, Build build) implements Rebuild {

		@Override
		public void begin() throws TimeoutException {
			this.build.begin();
		}

		@Override
		public void run() throws TimeoutException {
			this.build.awaitReady();
		}

		@Override
		public String table() {
			return this.build.table();
		}

		@Override
		public void close() {
			this.context.close();
		}

	}

}
