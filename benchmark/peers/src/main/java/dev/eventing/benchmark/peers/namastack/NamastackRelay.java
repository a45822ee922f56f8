package dev.eventing.benchmark.peers.namastack;

import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;

/** namastack-outbox, with the profile its documentation recommends. */
public final class NamastackRelay implements RelayContender {

	@Override
	public String id() {
		return "namastack";
	}

	@Override
	public String title() {
		return "namastack-outbox, 1,000 keys each 25 ms, 16 threads";
	}

	@Override
	public int largestBacklog() {
		return NamastackPublication.LARGEST_BACKLOG;
	}

	@Override
	public Publication prepare(RelayRound round) {
		return new NamastackPublication(round, OutboxSettings.manyThreads());
	}

}
