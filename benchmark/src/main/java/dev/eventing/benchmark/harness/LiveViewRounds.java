package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChange;
import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.LiveViewContender;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import io.nats.client.Dispatcher;
import io.nats.client.Message;

/**
 * Rounds of live views, each of which begins without states. Somebody follows one of the
 * accounts, so that it is seen whether changes are pushed.
 */
final class LiveViewRounds {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final long LOOK_NANOS = 5_000_000;

	private final Supplier<Bench> bench;

	private final Map<Integer, ReadModelCheck> checks = new HashMap<>();

	private int played;

	LiveViewRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	Entry entry(LiveViewContender contender) {
		return Entry.of(contender, (events) -> play(contender, events));
	}

	private Measurement play(LiveViewContender contender, int events) throws Exception {
		Bench bench = this.bench.get();
		String database = bench.databases().forProjector();
		bench.databases().jdbc(database).execute("truncate account");
		AccountChanges changes = AccountChanges.of(events);
		String stream = bench.changes().of(changes);
		this.played++;
		ProjectorRound round = new ProjectorRound(bench.natsUrl(), stream, ChangeStreams.subject(stream), database,
				"live-" + this.played, events, ProjectorRounds.POOL_SIZE);
		Usage usage = follow(contender, round);
		this.checks.computeIfAbsent(events, (size) -> ReadModelCheck.ofEmpty(changes))
			.check(contender.id(), bench.databases().jdbc(database), contender.table());
		bench.changes().forgetConsumers(stream);
		return new Measurement(events, usage, null);
	}

	private Usage follow(LiveViewContender contender, ProjectorRound round) throws Exception {
		String account = round.changes().iterator().next().streamId();
		AtomicLong version = new AtomicLong();
		Dispatcher follower = this.bench.get()
			.nats()
			.createDispatcher((message) -> version.accumulateAndGet(version(message), Math::max));
		follower.subscribe("projection." + AccountChange.TENANT + "." + round.projector() + "." + account);
		try (ProjectorContender.Projection projection = contender.prepare(round)) {
			this.bench.get().databases().settle();
			Usage usage = this.bench.get().meter().measure(projection::run);
			if (contender.pushed()) {
				awaitVersion(contender.id(), changesOf(account, round.changes()), version);
			}
			return usage;
		}
		finally {
			this.bench.get().nats().closeDispatcher(follower);
		}
	}

	/** A digest has a version, too, but comes a second later: it has no state. */
	private static long version(Message message) {
		boolean hasState = message.getData().length > 0;
		return hasState ? Long.parseLong(message.getHeaders().getFirst(LiveViewContender.VERSION)) : 0;
	}

	private static long changesOf(String account, AccountChanges changes) {
		long number = 0;
		for (AccountChange change : changes) {
			number += Objects.equals(change.streamId(), account) ? 1 : 0;
		}
		return number;
	}

	private static void awaitVersion(String contender, long expected, AtomicLong version) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (version.get() != expected) {
			if (System.nanoTime() - deadline > 0) {
				throw new WrongResultException("Contender '" + contender + "' pushes version " + version
						+ " of a state, which has version " + expected + ".");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

}
