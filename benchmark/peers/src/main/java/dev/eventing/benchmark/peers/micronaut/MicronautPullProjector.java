package dev.eventing.benchmark.peers.micronaut;

import java.sql.SQLException;

import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;

/** A pull consumer of micronaut-nats. */
public final class MicronautPullProjector implements ProjectorContender {

	@Override
	public String id() {
		return "micronaut-pull";
	}

	@Override
	public String title() {
		return "micronaut-nats, pull consumer, 500 per transaction";
	}

	@Override
	public Projection prepare(ProjectorRound round) throws SQLException {
		return new MicronautApplication(round, "pull");
	}

}
