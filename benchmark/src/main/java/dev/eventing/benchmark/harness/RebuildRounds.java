package dev.eventing.benchmark.harness;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.RebuildContender;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.sdk.StoredChanges;

/** Rounds that rebuild a read model. All of a size have the same events. */
final class RebuildRounds {

	/** Enough for two generations, which need as many connections each. */
	static final int POOL_SIZE = 2 * ProjectorRounds.POOL_SIZE;

	private final Supplier<Bench> bench;

	private final Map<Integer, ReadModelCheck> checks = new HashMap<>();

	private int played;

	RebuildRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	Entry entry(RebuildContender contender) {
		return Entry.of(contender, (number) -> play(contender, number));
	}

	private Measurement play(RebuildContender contender, int number) throws Exception {
		Bench bench = this.bench.get();
		AccountChanges changes = AccountChanges.of(number);
		String database = bench.databases().forRebuild(changes, contender.version());
		this.played++;
		ProjectorRound round = new ProjectorRound(bench.natsUrl(), "", StoredChanges.SUBJECT, database,
				"rebuild-" + this.played, number, POOL_SIZE);
		try (RebuildContender.Rebuild rebuild = contender.prepare(round)) {
			bench.databases().settle();
			Usage usage = bench.meter().measure(rebuild::begin, rebuild::run);
			this.checks.computeIfAbsent(number, (size) -> ReadModelCheck.ofEmpty(changes))
				.check(contender.id(), bench.databases().jdbc(database), rebuild.table());
			return new Measurement(number, usage, null);
		}
	}

}
