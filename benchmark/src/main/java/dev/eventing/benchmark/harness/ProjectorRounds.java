package dev.eventing.benchmark.harness;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorContender;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;

/** Rounds of projectors, each in an emptied database and with its own durable. */
final class ProjectorRounds {

	/** Enough for four lanes and what stands beside them. */
	static final int POOL_SIZE = 8;

	private final Supplier<Bench> bench;

	private final Map<Integer, ReadModelCheck> checks = new HashMap<>();

	private int played;

	ProjectorRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	Entry entry(ProjectorContender contender) {
		return Entry.of(contender, (events) -> play(contender, events));
	}

	private Measurement play(ProjectorContender contender, int events) throws Exception {
		Bench bench = this.bench.get();
		String database = bench.databases().forProjector();
		AccountChanges changes = AccountChanges.of(events);
		String stream = bench.changes().of(changes);
		Usage usage = run(contender, round(stream, database, events));
		this.checks.computeIfAbsent(events, (size) -> new ReadModelCheck(changes))
			.check(contender.id(), bench.databases().jdbc(database));
		bench.changes().forgetConsumers(stream);
		return new Measurement(events, usage, null);
	}

	private ProjectorRound round(String stream, String database, int events) {
		this.played++;
		return new ProjectorRound(this.bench.get().natsUrl(), stream, ChangeStreams.subject(stream), database,
				"projector-" + this.played, events, POOL_SIZE);
	}

	private Usage run(ProjectorContender contender, ProjectorRound round) throws Exception {
		try (ProjectorContender.Projection projection = contender.prepare(round)) {
			this.bench.get().databases().settle();
			return this.bench.get().meter().measure(projection::run);
		}
	}

}
