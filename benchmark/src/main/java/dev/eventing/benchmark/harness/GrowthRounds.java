package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import dev.eventing.benchmark.contender.AccountChanges;
import dev.eventing.benchmark.contender.ProjectorContender.Projection;
import dev.eventing.benchmark.contender.ProjectorRound;
import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import dev.eventing.benchmark.sdk.SdkProjector;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rounds of the SDK's plain projector where {@code processed_events} has many rows
 * already: half of them of the projector itself, a day old.
 */
final class GrowthRounds {

	private static final String PROJECTOR = "grown";

	private static final SdkProjector PLAIN = SdkProjector.withDefaults(SdkProjector.Style.PLAIN);

	// In the order of time, as they would have come.
	private static final String V7 = """
			(lpad(to_hex(((extract(epoch from now()) - 86400) * 1000)::bigint + n / 100), 12, '0') || '7'
			 || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid""";

	private static final String V4 = "gen_random_uuid()";

	private static final String FILL = """
			insert into eventing.processed_events (projector_name, event_id, tenant_id, processed_at)
			select case when n %% 2 = 0 then '%s' else 'other-' || n %% 7 end, %s, 'acme', now() - interval '1 day'
			  from generate_series(1, %d) as n""";

	private static final String OLD_ROWS = """
			select count(*) from eventing.processed_events
			 where projector_name = '%s' and processed_at < now() - interval '12 hours'""".formatted(PROJECTOR);

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final long LOOK_NANOS = 50_000_000;

	private final Supplier<Bench> bench;

	private final long mostRows;

	private final Map<String, String> databases = new HashMap<>();

	/**
	 * Plays nothing yet.
	 * @param mostRows what {@code most} in a contender's id stands for
	 */
	GrowthRounds(Supplier<Bench> bench, long mostRows) {
		this.bench = bench;
		this.mostRows = mostRows;
	}

	/**
	 * A contender on an empty table.
	 * @param timeOrdered whether ids are of version 7, else of version 4
	 */
	Entry empty(boolean timeOrdered) {
		return entry(0, timeOrdered, PLAIN);
	}

	/**
	 * A contender on a table of the given size.
	 * @param timeOrdered whether ids, old and new, are of version 7, else of version 4
	 */
	Entry grown(long rows, boolean timeOrdered) {
		return entry(rows, timeOrdered, PLAIN);
	}

	/**
	 * A contender on the largest table, whose old rows go meanwhile; ids are of version
	 * 7.
	 */
	Entry pruned() {
		return entry(this.mostRows, true, PLAIN.whilePruning());
	}

	private Entry entry(long rows, boolean timeOrdered, SdkProjector contender) {
		String version = timeOrdered ? "v7" : "v4";
		String size = (rows == 0) ? "empty" : (rows == this.mostRows) ? "most" : Long.toString(rows);
		String id = version + "-" + size + (contender.pruning() ? "-pruning" : "");
		String title = String.format(Locale.ROOT, "SDK: plain handler, %,d rows, UUID%s%s", rows, version,
				contender.pruning() ? ", pruned meanwhile" : "");
		return new Entry(id, title, Side.SDK, (events) -> play(id, rows, timeOrdered, events, contender));
	}

	private Measurement play(String id, long rows, boolean timeOrdered, int events, SdkProjector contender)
			throws Exception {
		String database = this.databases.get(id);
		boolean isNew = database == null;
		if (database == null) {
			database = this.bench.get().databases().createForProjectors("grown_" + id.replace('-', '_'));
			this.databases.put(id, database);
		}
		JdbcTemplate jdbc = this.bench.get().databases().jdbc(database);
		Databases.resetReadModel(jdbc);
		// pruned rows come back before little is left to prune
		if (isNew || (contender.pruning() && oldRows(jdbc) < rows / 4)) {
			fill(jdbc, rows, timeOrdered);
		}
		AccountChanges changes = timeOrdered ? AccountChanges.of(events) : AccountChanges.of(events).withRandomIds();
		String stream = this.bench.get().changes().of(changes);
		Usage usage = run(new ProjectorRound(this.bench.get().natsUrl(), stream, ChangeStreams.subject(stream),
				database, PROJECTOR, events, ProjectorRounds.POOL_SIZE), contender, jdbc);
		new ReadModelCheck(changes).check(id, jdbc);
		this.bench.get().changes().forgetConsumers(stream);
		forget(jdbc);
		return new Measurement(events, usage, null);
	}

	private Usage run(ProjectorRound round, SdkProjector contender, JdbcTemplate jdbc) throws Exception {
		long before = contender.pruning() ? oldRows(jdbc) : 0;
		try (Projection projection = contender.prepare(round)) {
			this.bench.get().databases().settle();
			Usage usage = this.bench.get().meter().measure(projection::run);
			if (contender.pruning()) {
				awaitPruning(jdbc, before);
			}
			return usage;
		}
	}

	/** A short round may be over before the first rows are gone. */
	private static void awaitPruning(JdbcTemplate jdbc, long before) {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (oldRows(jdbc) == before) {
			if (System.nanoTime() - deadline > 0) {
				throw new WrongResultException("None of " + before + " old rows is pruned.");
			}
			LockSupport.parkNanos(LOOK_NANOS);
		}
	}

	private static long oldRows(JdbcTemplate jdbc) {
		Long rows = jdbc.queryForObject(OLD_ROWS, Long.class);
		return (rows != null) ? rows : 0;
	}

	/** An index that has grown by random ids is a third empty; sorted ones fill it. */
	private static void fill(JdbcTemplate jdbc, long rows, boolean timeOrdered) {
		jdbc.execute("truncate eventing.processed_events");
		jdbc.execute("alter table eventing.processed_events drop constraint processed_events_pkey");
		jdbc.execute(FILL.formatted(PROJECTOR, timeOrdered ? V7 : V4, rows));
		jdbc.execute("alter table eventing.processed_events add primary key (projector_name, event_id, tenant_id) "
				+ "with (fillfactor = " + (timeOrdered ? 90 : 70) + ")");
		jdbc.execute("vacuum (analyze) eventing.processed_events");
	}

	/** Deletes the round's rows; reads the whole table. */
	private static void forget(JdbcTemplate jdbc) {
		jdbc.execute("truncate eventing.projector_positions, eventing.projector_prunings, eventing.leases, "
				+ "eventing.lease_epochs");
		jdbc.execute("delete from eventing.processed_events where processed_at > now() - interval '12 hours'");
		jdbc.execute("vacuum (analyze) eventing.processed_events");
	}

}
