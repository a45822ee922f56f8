package dev.eventing.benchmark.peers.micronaut;

import java.sql.SQLException;

import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;

/** A push consumer of micronaut-nats. */
public final class MicronautPushProjector implements ProjectorContender {

	@Override
	public String id() {
		return "micronaut-push";
	}

	@Override
	public String title() {
		return "micronaut-nats, @PushConsumer, one transaction per event";
	}

	@Override
	public Projection prepare(ProjectorRound round) throws SQLException {
		return new MicronautApplication(round, "push");
	}

}
