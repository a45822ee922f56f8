package dev.eventing.benchmark.harness;

import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.sdk.SdkBeside;
import dev.eventing.benchmark.sdk.StoredChanges;

import org.springframework.jdbc.core.JdbcTemplate;

/** Rounds of a live projector, beside which a generation is built. */
final class BesideRounds {

	private final Supplier<Bench> bench;

	private final int stored;

	private int played;

	/**
	 * Plays nothing yet.
	 * @param stored from how many events a generation is built while latencies are
	 * measured
	 */
	BesideRounds(Supplier<Bench> bench, int stored) {
		this.bench = bench;
		this.stored = stored;
	}

	/** A new projector and a build, both of which begin with the first event. */
	Entry draining() {
		return new Entry("sdk-live-beside-build", "SDK: new projector fed by the event store, beside a build", Side.SDK,
				this::drain);
	}

	/** Counts what the live projector does from the begin of the build on. */
	private Measurement drain(int events) throws Exception {
		ProjectorRound round = round(events);
		try (SdkBeside application = SdkBeside.ofNew(round)) {
			long[] applied = new long[2];
			Usage usage = this.bench.get().meter().measure(() -> {
				application.start();
				application.build();
				applied[0] = application.applied();
			}, () -> {
				application.awaitEither();
				applied[1] = application.applied();
			});
			application.awaitBoth();
			ReadModelCheck check = ReadModelCheck.ofEmpty(round.changes());
			check.check("sdk-live-beside-build", jdbc(round));
			check.check("sdk-live-beside-build", jdbc(round), application.table());
			return new Measurement(Math.max(1, applied[1] - applied[0]), usage, null);
		}
	}

	/**
	 * A live projector that has met the last event when events are appended.
	 * @param built whether a generation is built meanwhile
	 */
	Entry latency(boolean built) {
		String id = "sdk-latency-store" + (built ? "-beside-build" : "");
		return new Entry(id, "SDK: append, projector fed by the event store at " + StoreRounds.PACE + " events/s"
				+ (built ? ", beside a build" : ""), Side.SDK, (events) -> latency(id, events, built));
	}

	private Measurement latency(String id, int events, boolean built) throws Exception {
		ProjectorRound round = round(this.stored);
		// their own ids; the accounts of the live read model are all new
		AccountChanges changes = AccountChanges.of(events).withRandomIds();
		int[] appended = new int[1];
		try (SdkBeside application = SdkBeside.upToDate(round)) {
			Usage usage = this.bench.get().meter().measure(() -> {
				application.start();
				if (built) {
					application.build();
				}
			}, () -> appended[0] = application.append(changes, StoreRounds.PACE, built));
			ReadModelCheck.ofEmpty(AccountChanges.of(appended[0]).withRandomIds()).check(id, jdbc(round));
			return new Measurement(appended[0], usage, application.latencies());
		}
		finally {
			// the others are kept for the next round
			jdbc(round).update("delete from eventing.events where global_position > ?", this.stored);
		}
	}

	/** On a database with the given number of first changes in the event store. */
	private ProjectorRound round(int events) throws Exception {
		Databases databases = this.bench.get().databases();
		String database = databases.forRebuild(AccountChanges.of(events), 1);
		databases.settle();
		this.played++;
		return new ProjectorRound(this.bench.get().natsUrl(), "", StoredChanges.SUBJECT, database,
				"beside-" + this.played, events, RebuildRounds.POOL_SIZE);
	}

	private JdbcTemplate jdbc(ProjectorRound round) {
		return this.bench.get().databases().jdbc(round.jdbcUrl());
	}

}
