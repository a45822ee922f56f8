package dev.eventing.samples.benchmark.peers.namastack;

import dev.eventing.samples.benchmark.contender.RelayContender;
import dev.eventing.samples.benchmark.contender.RelayRound;

/** namastack-outbox, its defaults. */
public final class NamastackDefaultsRelay implements RelayContender {

	@Override
	public String id() {
		return "namastack-defaults";
	}

	@Override
	public String title() {
		return "namastack-outbox, its defaults";
	}

	@Override
	public Publication prepare(RelayRound round) {
		return new NamastackPublication(round, OutboxSettings.defaults());
	}

}
