package dev.eventing.benchmark.peers.namastack;

import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayRound;

/** namastack-outbox, with a profile for its own pool of threads. */
public final class NamastackDefaultThreadsRelay implements RelayContender {

	@Override
	public String id() {
		return "namastack-4-threads";
	}

	@Override
	public String title() {
		return "namastack-outbox, 800 keys each 100 ms, 4 threads";
	}

	@Override
	public int largestBacklog() {
		return NamastackPublication.LARGEST_BACKLOG;
	}

	@Override
	public Publication prepare(RelayRound round) {
		return new NamastackPublication(round, OutboxSettings.defaultThreads());
	}

}
