package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A read model of totals, and checks that compare it with its events. */
abstract class ReconciliationSetup {

	static final String OPEN = "select count(*) from eventing.dead_letters where status in ('PARKED', 'REDRIVING')";

	@AutoClose
	final World world = World.create();

	final Parking parking = Parking.of(this.world);

	@BeforeEach
	void createReadModel() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
	}

	AnnotationConfigApplicationContext start(Object... beans) {
		return this.world.start(WorldApplication.of(beans).lease(Duration.ofSeconds(2)));
	}

	static ReconciliationResult run(AnnotationConfigApplicationContext application, String check) {
		return application.getBean(Reconciliations.class).run(check, "test");
	}

	static Answer answer(ReconciliationResult result) {
		assertThat(result.error()).isNull();
		Answer answer = result.answer();
		assertThat(answer).isNotNull();
		return answer;
	}

	void appendAll(long to) {
		this.world.append(World.ACME, "a0", 1, to);
		this.world.append(World.ACME, "a1", 1, to);
	}

	void awaitApplied(String account, long events) {
		await().until(() -> this.world
			.count("select count(*) from totals where account = '" + account + "' and events = " + events) == 1);
	}

	void awaitSettled() {
		await().until(() -> this.world.count("select count(*) from eventing.projector_checkpoints") > 0 && this.world
			.checkpoint("totals") >= this.world.count("select coalesce(max(global_position), 0) from eventing.events"));
	}

	/** The read model: how many events of an account, and the sum of their amounts. */
	abstract static class Model {

		/** Fails the first attempt of about one event in this number; 0 for none. */
		volatile int refusesOneOf;

		/**
		 * Whether it fails the later attempts, too: the first is often one of a batch.
		 */
		volatile boolean refusesAgain;

		private final Set<UUID> refused = ConcurrentHashMap.newKeySet();

		private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

		final Set<String> waiting = ConcurrentHashMap.newKeySet();

		@Autowired
		private JdbcTemplate jdbc;

		/** Lets the events of an account wait. */
		CountDownLatch hold(String account) {
			CountDownLatch free = new CountDownLatch(1);
			this.held.put(account, free);
			return free;
		}

		void apply(Deposited event, UUID eventId) {
			CountDownLatch free = this.held.get(event.account());
			if (free != null) {
				this.waiting.add(event.account());
				try {
					free.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			this.jdbc.update("""
					insert into totals as t values (?, 1, ?)
					on conflict (account) do update set events = t.events + 1, total = t.total + excluded.total""",
					event.account(), event.amount());
			if (this.refusesOneOf > 0 && Math.floorMod(eventId.hashCode(), this.refusesOneOf) == 0
					&& (this.refused.add(eventId) || this.refusesAgain)) {
				throw new IllegalArgumentException("refused by the test");
			}
		}

	}

	@Projector(value = "totals", tables = "totals")
	static class Totals extends Model {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2,
				batchSize = 20, noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, eventId);
		}

	}

	/** The application's checks. */
	static class Checks {

		static final String TOTALS = """
				with expected as (
				  select payload->>'account' as account, count(*) as events, sum((payload->>'amount')::bigint) as total
				    from eventing.applied_events('totals') group by 1)
				select coalesce(e.account, t.account) as account, e.total as expected, t.total as found
				  from expected e full join totals t on t.account = e.account
				 where (e.events, e.total) is distinct from (t.events, t.total)""";

		@Reconciliation(name = "totals", projector = "totals")
		String totals() {
			return TOTALS;
		}

		@Reconciliation(name = "slow", projector = "totals")
		String slow() {
			return "with waited as materialized (select parked(" + Parking.CHECK + ")) select d.* from (" + TOTALS
					+ ") d, waited union all select null, count(*), null from waited having count(*) <> 1";
		}

		@Reconciliation(name = "broken", projector = "totals")
		String broken() {
			return "select * from no_such_table;";
		}

		@Reconciliation(name = "writing", projector = "totals")
		String writing() {
			return "select nextval(pg_get_serial_sequence('eventing.events', 'global_position'))";
		}

		@Reconciliation(name = "streamed", projector = "streamed")
		String streamed() {
			return "select 1";
		}

		@Reconciliation(name = "many", projector = "totals")
		String many() {
			return "select n, repeat('x', 1000) as text from generate_series(1, 25) n -- all of them";
		}

	}

}
