package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.OutboxEvent;
import dev.eventing.benchmark.contender.RelayContender;
import dev.eventing.benchmark.contender.RelayContender.Publication;
import dev.eventing.benchmark.contender.RelayRound;
import dev.eventing.benchmark.measure.Latencies;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.UuidV7;
import dev.eventing.sdk.test.timing.Stopwatch;
import tools.jackson.databind.json.JsonMapper;

/** Rounds of relays: draining a backlog, and keeping up with a pace. */
final class RelayRounds {

	private static final int POOL_SIZE = 8;

	private static final int PAGE = 10_000;

	private static final Duration TICK = Duration.ofMillis(10);

	private static final long NANOS_PER_MICRO = 1_000;

	private static final JsonMapper JSON = EventJson.mapper();

	private final Supplier<Bench> bench;

	private final int streams;

	private int played;

	/**
	 * Plays nothing yet.
	 * @param streams how many streams of the event store the events are of
	 */
	RelayRounds(Supplier<Bench> bench, int streams) {
		this.bench = bench;
		this.streams = streams;
	}

	/** From the start of the relay until the stream has the whole backlog. */
	Entry draining(RelayContender contender) {
		return Entry.of(contender, (asked) -> {
			int events = Math.min(asked, contender.largestBacklog());
			RelayStream stream = new RelayStream(this.bench.get().nats());
			try (Publication publication = contender.prepare(round(stream))) {
				fill(publication, events);
				this.bench.get().databases().settle();
				Usage usage = this.bench.get().meter().measure(() -> {
					publication.start();
					stream.await(events);
				});
				stream.read(contender.id(), events);
				return new Measurement(events, usage, null);
			}
		});
	}

	/**
	 * A fixed rate of events, committed every 10 ms; latency goes from the commit's
	 * return to the time the server gave the message.
	 */
	Entry paced(RelayContender contender, int perSecond) {
		return Entry.of(contender, (events) -> {
			RelayStream stream = new RelayStream(this.bench.get().nats());
			try (Publication publication = contender.prepare(round(stream))) {
				publication.start();
				Map<UUID, Long> committed = new HashMap<>();
				this.bench.get().databases().settle();
				Usage usage;
				Duration late;
				try (Stopwatch watch = Stopwatch.start()) {
					usage = this.bench.get().meter().measure(() -> {
						committed.putAll(append(publication, events, perSecond));
						stream.await(committed.size());
					});
					late = watch.late();
				}
				Map<UUID, Long> stored = stream.read(contender.id(), committed.size());
				return new Measurement(committed.size(), usage, Latencies.ofNanos(committed.entrySet()
					.stream()
					.mapToLong((entry) -> Math.max(0,
							stored.getOrDefault(entry.getKey(), Long.MAX_VALUE) - entry.getValue()) * NANOS_PER_MICRO)
					.toArray(), late));
			}
		});
	}

	private RelayRound round(RelayStream stream) throws Exception {
		stream.create();
		this.played++;
		return new RelayRound(this.bench.get().natsUrl(), RelayStream.NAME, this.bench.get().databases().empty(),
				"relay-" + this.played, POOL_SIZE);
	}

	private void fill(Publication publication, int events) throws Exception {
		List<OutboxEvent> page = new ArrayList<>(PAGE);
		for (AccountChange change : AccountChanges.of(events).ofAccounts(this.streams)) {
			page.add(event(change.id(), change.payload()));
			if (page.size() == PAGE) {
				publication.fill(page);
				page = new ArrayList<>(PAGE);
			}
		}
		if (!page.isEmpty()) {
			publication.fill(page);
		}
	}

	/** A stream's turn at each tick; returns when each event was committed. */
	private Map<UUID, Long> append(Publication publication, int events, int perSecond) throws Exception {
		int perTick = Math.max(1, (int) (perSecond * TICK.toMillis() / 1_000));
		Map<UUID, Long> committed = new HashMap<>();
		long next = System.nanoTime();
		for (int tick = 0; committed.size() < events; tick++) {
			List<OutboxEvent> batch = tick(tick, perTick);
			next += TICK.toNanos();
			LockSupport.parkNanos(next - System.nanoTime());
			publication.append(batch);
			long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
			batch.forEach((event) -> committed.put(event.id(), now));
		}
		return committed;
	}

	private List<OutboxEvent> tick(int tick, int events) {
		List<OutboxEvent> batch = new ArrayList<>(events);
		String account = AccountChanges.account(tick % this.streams);
		long change = (long) (tick / this.streams) * events;
		for (int i = 0; i < events; i++) {
			change++;
			batch.add(event(UuidV7.next(),
					new AccountChanged(account, change, change, "EUR", Instant.now().truncatedTo(ChronoUnit.MILLIS),
							"RF" + change,
							"Standing order of the account's holder to a utility, quarterly in advance")));
		}
		return batch;
	}

	private static OutboxEvent event(UUID id, AccountChanged payload) {
		return new OutboxEvent(id, payload.account(), payload.change(), JSON.writeValueAsString(payload));
	}

}
