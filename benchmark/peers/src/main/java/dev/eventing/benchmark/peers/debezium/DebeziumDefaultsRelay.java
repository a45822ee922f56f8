package dev.eventing.benchmark.peers.debezium;

import java.io.IOException;

import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;

/** Debezium Engine with the outbox event router, with its defaults. */
public final class DebeziumDefaultsRelay implements RelayContender {

	@Override
	public String id() {
		return "debezium-defaults";
	}

	@Override
	public String title() {
		return "Debezium Engine, outbox event router, its defaults";
	}

	@Override
	public Publication prepare(RelayRound round) throws IOException, InterruptedException {
		return new DebeziumPublication(round, EngineSettings.defaults());
	}

}
