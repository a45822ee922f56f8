package dev.eventing.benchmark.harness;

import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.sdk.SdkAppends;
import dev.eventing.benchmark.sdk.SdkLatency;

/** Rounds that begin with appending to the event store. */
final class StoreRounds {

	/** Events per second of the rounds that measure latency. */
	static final int PACE = 100;

	private final Supplier<Bench> bench;

	private int played;

	StoreRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	Entry appending(int threads, int perTransaction) {
		String id = "append-" + ((perTransaction == 1) ? "single" : "batch") + "-" + threads;
		String title = "SDK: append, " + ((perTransaction == 1) ? "one event" : perTransaction + " events")
				+ " per transaction, " + ((threads == 1) ? "1 thread" : threads + " threads");
		return new Entry(id, title, Side.SDK, (events) -> append(id, events, threads, perTransaction));
	}

	private Measurement append(String id, int events, int threads, int perTransaction) throws Exception {
		String database = this.bench.get().databases().forProjector();
		int[] appended = new int[1];
		Usage usage;
		try (SdkAppends appends = new SdkAppends(this.bench.get().natsUrl(), database, ProjectorRounds.POOL_SIZE,
				threads, perTransaction)) {
			this.bench.get().databases().settle();
			usage = this.bench.get().meter().measure(() -> appended[0] = appends.append(events));
		}
		Long found = this.bench.get()
			.databases()
			.jdbc(database)
			.queryForObject("select count(*) from eventing.events", Long.class);
		if (found == null || found != appended[0]) {
			throw new WrongResultException(
					"Contender '" + id + "' appends " + found + " of " + appended[0] + " events.");
		}
		return new Measurement(appended[0], usage, null);
	}

	Entry latency() {
		return new Entry("sdk-latency", "SDK: append, relay, JetStream, projector at " + PACE + " events/s", Side.SDK,
				this::latency);
	}

	private Measurement latency(int events) throws Exception {
		this.played++;
		String database = this.bench.get().databases().forProjector();
		new RelayStream(this.bench.get().nats()).create();
		Latencies[] latencies = new Latencies[1];
		Usage usage;
		try (SdkLatency application = new SdkLatency(this.bench.get().natsUrl(), database, ProjectorRounds.POOL_SIZE,
				"latency-" + this.played)) {
			this.bench.get().databases().settle();
			usage = this.bench.get().meter().measure(() -> latencies[0] = application.run(events, PACE));
		}
		new ReadModelCheck(AccountChanges.of(events)).check("sdk-latency", this.bench.get().databases().jdbc(database));
		return new Measurement(events, usage, latencies[0]);
	}

}
