package dev.eventing.samples.benchmark.peers.namastack;

import dev.eventing.samples.benchmark.contender.RelayContender;
import dev.eventing.samples.benchmark.contender.RelayRound;

/** namastack-outbox, tuned as documented. */
public final class NamastackRelay implements RelayContender {

	@Override
	public String id() {
		return "namastack";
	}

	@Override
	public String title() {
		return "namastack-outbox, tuned as documented";
	}

	@Override
	public Publication prepare(RelayRound round) {
		return new NamastackPublication(round, OutboxSettings.tuned());
	}

}
