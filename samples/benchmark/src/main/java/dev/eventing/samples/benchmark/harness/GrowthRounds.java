package dev.eventing.samples.benchmark.harness;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import dev.eventing.samples.benchmark.contender.AccountChanges;
import dev.eventing.samples.benchmark.contender.ProjectorContender.Projection;
import dev.eventing.samples.benchmark.contender.ProjectorRound;
import dev.eventing.samples.benchmark.contender.Side;
import dev.eventing.samples.benchmark.measure.Measurement;
import dev.eventing.samples.benchmark.measure.Usage;
import dev.eventing.samples.benchmark.sdk.SdkProjector;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rounds of the SDK's plain projector where {@code processed_events} has many rows
 * already: half of them of the projector itself, a day old.
 */
final class GrowthRounds {

	private static final String PROJECTOR = "grown";

	private static final SdkProjector CONTENDER = SdkProjector.withDefaults(SdkProjector.Style.PLAIN);

	// In the order of time, as they would have come.
	private static final String V7 = """
			(lpad(to_hex(((extract(epoch from now()) - 86400) * 1000)::bigint + n / 100), 12, '0') || '7'
			 || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid""";

	private static final String V4 = "gen_random_uuid()";

	private static final String FILL = """
			insert into eventing.processed_events (projector_name, event_id, tenant_id, processed_at)
			select case when n %% 2 = 0 then '%s' else 'other-' || n %% 7 end, %s, 'acme', now() - interval '1 day'
			  from generate_series(1, %d) as n""";

	private final Supplier<Bench> bench;

	private final Map<String, String> databases = new HashMap<>();

	GrowthRounds(Supplier<Bench> bench) {
		this.bench = bench;
	}

	/**
	 * A contender on a table of so many rows.
	 * @param timeOrdered whether ids, old and new, are of version 7, else of version 4
	 * @param most whether it is the largest
	 * @param beside what runs meanwhile
	 */
	Entry entry(long rows, boolean timeOrdered, boolean most, Beside beside) {
		String kind = timeOrdered ? "v7" : "v4";
		String id = kind + "-" + ((rows == 0) ? "empty" : most ? "most" : Long.toString(rows)) + beside.suffix();
		String title = String.format(Locale.ROOT, "SDK: plain handler, %,d rows, UUID%s%s", rows, kind,
				beside.suffix().replace('-', ' '));
		return new Entry(id, title, Side.SDK, (events) -> play(id, rows, timeOrdered, events, beside));
	}

	private Measurement play(String id, long rows, boolean timeOrdered, int events, Beside beside) throws Exception {
		String database = this.databases.get(id);
		if (database == null) {
			database = this.bench.get().databases().createForProjectors("grown_" + id.replace('-', '_'));
			fill(this.bench.get().databases().jdbc(database), rows, timeOrdered);
			this.databases.put(id, database);
		}
		JdbcTemplate jdbc = this.bench.get().databases().jdbc(database);
		Databases.resetReadModel(jdbc);
		AccountChanges changes = timeOrdered ? AccountChanges.of(events) : AccountChanges.of(events).withRandomIds();
		String stream = this.bench.get().changes().of(changes);
		Usage usage = run(new ProjectorRound(this.bench.get().natsUrl(), stream, ChangeStreams.subject(stream),
				database, PROJECTOR, events, ProjectorRounds.POOL_SIZE), beside);
		new ReadModelCheck(changes).check(id, jdbc);
		this.bench.get().changes().forgetConsumers(stream);
		forget(jdbc);
		return new Measurement(events, usage, null);
	}

	private Usage run(ProjectorRound round, Beside beside) throws Exception {
		try (Projection projection = CONTENDER.prepare(round)) {
			this.bench.get().databases().settle();
			Runnable end = beside.start(round.jdbcUrl());
			try {
				return this.bench.get().meter().measure(projection::run);
			}
			finally {
				end.run();
			}
		}
	}

	/** An index that has grown by random ids is a third empty; sorted ones fill it. */
	private static void fill(JdbcTemplate jdbc, long rows, boolean timeOrdered) {
		if (rows == 0) {
			return;
		}
		jdbc.execute("alter table eventing.processed_events drop constraint processed_events_pkey");
		jdbc.execute(FILL.formatted(PROJECTOR, timeOrdered ? V7 : V4, rows));
		jdbc.execute("alter table eventing.processed_events add primary key (projector_name, event_id, tenant_id) "
				+ "with (fillfactor = " + (timeOrdered ? 90 : 70) + ")");
		jdbc.execute("vacuum (analyze) eventing.processed_events");
	}

	/** What the round has added; reads the whole table. */
	private static void forget(JdbcTemplate jdbc) {
		jdbc.execute("truncate eventing.projector_positions, eventing.leases, eventing.lease_epochs");
		jdbc.execute("delete from eventing.processed_events where processed_at > now() - interval '12 hours'");
		jdbc.execute("vacuum (analyze) eventing.processed_events");
	}

	/** What runs beside the projector. */
	interface Beside {

		/** Nothing. */
		Beside NOTHING = (jdbcUrl) -> () -> {
			// nothing to end
		};

		/** Starts it; what is returned ends it. */
		Runnable start(String jdbcUrl) throws Exception;

		/** What it adds to the contender's name. */
		default String suffix() {
			return "";
		}

	}

}
