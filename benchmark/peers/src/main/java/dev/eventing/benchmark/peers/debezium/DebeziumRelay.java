package dev.eventing.benchmark.peers.debezium;

import java.io.IOException;

import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;

/** Debezium Engine with the outbox event router, tuned. */
public final class DebeziumRelay implements RelayContender {

	@Override
	public String id() {
		return "debezium";
	}

	@Override
	public String title() {
		return "Debezium Engine, outbox event router, tuned";
	}

	@Override
	public Publication prepare(RelayRound round) throws IOException, InterruptedException {
		return new DebeziumPublication(round, EngineSettings.tuned());
	}

}
