package dev.eventing.benchmark.sdk;

import java.util.Map;

import dev.eventing.benchmark.contender.LiveViewContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * A live view of the SDK at its defaults, or a batch handler that keeps rows with the
 * same content, and pushes nothing.
 *
 * @param pushed whether it is a live view
 */
public record SdkLiveView(boolean pushed) implements LiveViewContender {

	@Override
	public String id() {
		return this.pushed ? "sdk-live-view" : "sdk-batch-upsert";
	}

	@Override
	public String title() {
		return "SDK: " + (this.pushed ? "live view" : "batch handler that upserts") + ", defaults ("
				+ SdkProjector.defaultLanes() + " lanes)";
	}

	@Override
	public Side side() {
		return Side.SDK;
	}

	@Override
	public String table() {
		return this.pushed ? SdkLiveNode.STATES : "account";
	}

	@Override
	public Projection prepare(ProjectorRound round) {
		AnnotationConfigApplicationContext context = SdkApplication.ready(round.natsUrl(), round.jdbcUrl(),
				round.poolSize(), Map.of("projector", round.projector(), "subject", round.subject()),
				(application) -> application.register(this.pushed ? AccountView.class : BatchUpsertHandler.class));
		return new SdkProjector.Run(context, round);
	}

}
