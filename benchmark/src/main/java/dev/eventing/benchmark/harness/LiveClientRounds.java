package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.eventing.benchmark.client.LiveClients;
import dev.eventing.benchmark.client.LiveFrames;
import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Footprint;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Meter;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.report.Ratios;
import dev.eventing.benchmark.sdk.SdkLiveNode;
import dev.eventing.benchmark.sdk.StoredChanges;
import dev.eventing.sdk.test.timing.Stopwatch;

/** Rounds of clients that follow a live view over HTTP, on the loopback. */
final class LiveClientRounds {

	/** How many accounts each client follows. */
	private static final int ACCOUNTS_OF_EACH = 10;

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** After so long no digests of states are to be sent any more. */
	private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final long LOOK_NANOS = 20_000_000;

	private static final LiveFrames NOBODY = (account, change) -> {
		// nothing changes
	};

	private final Supplier<Bench> bench;

	private final int clients;

	private int played;

	/**
	 * Plays nothing yet.
	 * @param clients how many there are
	 */
	LiveClientRounds(Supplier<Bench> bench, int clients) {
		this.bench = bench;
		this.clients = clients;
	}

	/** From the append to the client, where each follows other accounts. */
	Entry latency() {
		return new Entry(Ratios.LIVE_VIEW_CLIENTS, "SDK: append, relay, JetStream, live view, " + this.clients
				+ " clients, at " + StoreRounds.PACE + " events/s", Side.SDK, this::latency);
	}

	private Measurement latency(int events) throws Exception {
		AccountChanges changes = AccountChanges.of(events).ofAccounts(this.clients * ACCOUNTS_OF_EACH);
		long[] last = Arrivals.lastChanges(changes);
		Arrivals arrivals = new Arrivals(changes);
		Latencies[] latencies = new Latencies[1];
		ProjectorRound round = round();
		try (SdkLiveNode node = SdkLiveNode.start(round)) {
			node.open(changes.accounts());
			try (LiveClients following = connect(node, ownAccounts(), arrivals)) {
				Usage usage = this.bench.get().meter().measure(() -> {
					try (Stopwatch watch = Stopwatch.start()) {
						node.append(changes, StoreRounds.PACE, arrivals::append);
						following.awaitChanges(last);
						latencies[0] = arrivals.latencies(watch.late());
					}
				});
				check(Ratios.LIVE_VIEW_CLIENTS, changes, round);
				return new Measurement(events, usage, latencies[0]);
			}
		}
	}

	/** Frames that are sent, where all clients follow the same accounts. */
	Entry fanOut() {
		return new Entry("sdk-live-view-fan-out",
				"SDK: frames to " + this.clients + " clients that follow the same " + ACCOUNTS_OF_EACH + " accounts",
				Side.SDK, this::fanOut);
	}

	private Measurement fanOut(int frames) throws Exception {
		AccountChanges changes = AccountChanges.of(Math.max(1, frames / this.clients)).ofAccounts(ACCOUNTS_OF_EACH);
		long[] last = Arrivals.lastChanges(changes);
		AtomicLong received = new AtomicLong();
		ProjectorRound round = round();
		try (SdkLiveNode node = SdkLiveNode.start(round)) {
			node.open(changes.accounts());
			List<int[]> same = Collections.nCopies(this.clients, IntStream.range(0, ACCOUNTS_OF_EACH).toArray());
			try (LiveClients following = connect(node, same, (account, change) -> received.incrementAndGet())) {
				received.set(0);
				Usage usage = this.bench.get().meter().measure(() -> {
					for (AccountChange change : changes) {
						node.append(change);
					}
					following.awaitChanges(last);
				});
				check("sdk-live-view-fan-out", changes, round);
				return new Measurement(received.get(), usage, null);
			}
		}
	}

	/** What connections and followed accounts cost. */
	Entry footprint() {
		return new Entry("sdk-live-view-footprint",
				"SDK: " + this.clients + " clients connect, each follows " + ACCOUNTS_OF_EACH + " other accounts",
				Side.SDK, (ignored) -> measureFootprint());
	}

	private Measurement measureFootprint() throws Exception {
		try (SdkLiveNode node = SdkLiveNode.start(round())) {
			node.open(this.clients * ACCOUNTS_OF_EACH);
			LockSupport.parkNanos(QUIET_NANOS);
			long alone = Meter.usedHeap();
			long connected = heapWith(connect(node, Collections.nCopies(this.clients, new int[1]), NOBODY));
			awaitNobody(node);
			LiveClients[] clients = new LiveClients[1];
			Usage usage = this.bench.get().meter().measure(() -> clients[0] = connect(node, ownAccounts(), NOBODY));
			double keys = heapWith(clients[0]) - connected;
			// One of the keys was followed before.
			return new Measurement(this.clients, usage, null, new Footprint((double) (connected - alone) / this.clients,
					keys / (this.clients * ACCOUNTS_OF_EACH - 1)));
		}
	}

	/** Disconnects them afterwards. */
	private static long heapWith(LiveClients clients) {
		try {
			return Meter.usedHeap();
		}
		finally {
			clients.close();
		}
	}

	/** A node learns at its next keep-alive that a client is gone. */
	private static void awaitNobody(SdkLiveNode node) throws TimeoutException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (node.connections() > 0) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(node.connections() + " clients are gone, and the node does not notice.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	private static LiveClients connect(SdkLiveNode node, List<int[]> accounts, LiveFrames frames) throws Exception {
		LiveClients clients = new LiveClients(node.address(), node.path(), frames);
		try {
			clients.connect(accounts);
			return clients;
		}
		catch (Exception ex) {
			clients.close();
			throw ex;
		}
	}

	private List<int[]> ownAccounts() {
		List<int[]> accounts = new ArrayList<>();
		for (int client = 0; client < this.clients; client++) {
			int first = client * ACCOUNTS_OF_EACH;
			accounts.add(IntStream.range(first, first + ACCOUNTS_OF_EACH).toArray());
		}
		return accounts;
	}

	private ProjectorRound round() throws Exception {
		Bench bench = this.bench.get();
		String database = bench.databases().forProjector();
		bench.databases().settle();
		new RelayStream(bench.nats()).create();
		this.played++;
		return new ProjectorRound(bench.natsUrl(), RelayStream.NAME, StoredChanges.SUBJECT, database,
				"clients-" + this.played, 0, ProjectorRounds.POOL_SIZE);
	}

	private void check(String contender, AccountChanges changes, ProjectorRound round) {
		ReadModelCheck.ofOpened(changes)
			.check(contender, this.bench.get().databases().jdbc(round.jdbcUrl()), SdkLiveNode.STATES);
	}

}
