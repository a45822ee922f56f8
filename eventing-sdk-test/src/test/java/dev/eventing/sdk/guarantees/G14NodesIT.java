package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests.Requested;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * G14: one of the nodes runs a check, on its schedule or at the request of an operator.
 */
class G14NodesIT extends ReconciliationSetup {

	@Test
	void runsAScheduledCheckOnOneOfTwoNodesAndGoesOnWhenItStops() {
		AnnotationConfigApplicationContext one = scheduled();
		AnnotationConfigApplicationContext two = scheduled();
		try {
			await().until(() -> scheduledRuns() >= 4);
			List<String> actors = actors();
			assertThat(actors).hasSize(1).first().asString().startsWith("schedule on ");
			String owner = actors.get(0).substring("schedule on ".length());
			boolean first = one.getBean(Leases.class).node().equals(owner);
			(first ? one : two).close();
			await().until(() -> actors().size() == 2);
		}
		finally {
			one.close();
			two.close();
		}
	}

	/**
	 * Whichever nodes have the check: one of them runs it, with or without a schedule.
	 */
	@Test
	void runsWhatOperatorsRequestOnOneOfTwoNodes() {
		CheckRequests requests = requests();
		Object[] beans = { new Totals(), new Scheduled(), new OnRequest() };
		Map<String, String> hourly = Map.of("check.every", "1h");
		UUID early = requests.add("totals", "on-request", "anna", Patience.LONG);
		try (AnnotationConfigApplicationContext one = this.world.start(WorldApplication.of(beans).properties(hourly));
				AnnotationConfigApplicationContext two = this.world
					.start(WorldApplication.of(beans).properties(hourly))) {
			awaitAnswered(early);
			await().until(() -> scheduledRuns() == 1);
			UUID all = requests.add("totals", null, "bert", Patience.LONG);
			awaitAnswered(all);
			assertThat(requests.rows(all)).extracting(Requested::check).containsExactly("on-request", "scheduled");
			assertThat(new CheckLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults()).answers(all))
				.extracting(ReconciliationResult::check, (each) -> each.run().actor())
				.containsExactly(tuple("on-request", "bert"), tuple("scheduled", "bert"));
			UUID unknown = requests.add("totals", "another", "bert", Patience.LONG);
			awaitAnswered(requests.add("totals", "scheduled", "bert", Patience.LONG));
			assertThat(requests.rows(unknown)).noneMatch(Requested::isTaken);
			assertThat(this.world.jdbc().queryForList("""
					select check_name || ' ' || actor || ' ' || count(*) from eventing.projection_checks
					 where actor not like 'schedule on %' group by check_name, actor""", String.class))
				.containsExactlyInAnyOrder("on-request anna 1", "on-request bert 1", "scheduled bert 2");
		}
	}

	@Test
	void runsWhatWasRequestedAlsoIfTheNodeThatHadTheCheckHasDied() {
		CheckRequests requests = requests();
		this.world.jdbc().update("""
				insert into eventing.lease_epochs (lease_name, epoch) values ('reconciliation/on-request', 1);
				insert into eventing.leases (lease_name, owner, epoch, acquired_at, expires_at, duration_ms)
				values ('reconciliation/on-request', 'dead', 1, now(), now() + interval '1 hour', 3600000)""");
		UUID id = requests.add("totals", "on-request", "anna", Patience.LONG);
		try (AnnotationConfigApplicationContext application = start(new Totals(), new OnRequest())) {
			await().until(() -> requests.rows(id).get(0).isTaken());
			assertThat(requests.rows(id).get(0).isAnswered()).isFalse();
			this.world.jdbc().update("update eventing.leases set expires_at = now() where owner = 'dead'");
			awaitAnswered(id);
			assertThat(this.world.count("select count(*) from eventing.projection_checks")).isEqualTo(1);
		}
	}

	/** The node that runs it has had them all. */
	@Test
	void runsTheOtherChecksOnAnotherNodeWhileOneTakesLong() {
		this.world.jdbc().execute("create table gate (id int)");
		List<AnnotationConfigApplicationContext> nodes = new ArrayList<>();
		try (AnnotationConfigApplicationContext application = start(new Totals())) {
			appendAll(3);
			awaitApplied("a0", 3);
			assertThat(application.isActive()).isTrue();
		}
		try {
			this.world.whileHolding("lock table gate in access exclusive mode", () -> {
				nodes.add(shortAndLong());
				await().until(this::waitsAtTheGate);
				nodes.add(shortAndLong());
				String second = "schedule on " + nodes.get(1).getBean(Leases.class).node();
				await().until(() -> actors().contains(second));
				assertThat(waitsAtTheGate()).isTrue();
			});
		}
		finally {
			nodes.forEach(AnnotationConfigApplicationContext::close);
		}
	}

	private AnnotationConfigApplicationContext shortAndLong() {
		return this.world.start(WorldApplication.of(new Totals(), new Scheduled(), new Waiting())
			.properties(Map.of("check.every", "1s"))
			.lease(Duration.ofSeconds(10)));
	}

	private boolean waitsAtTheGate() {
		return this.world.count("select count(*) from pg_locks where not granted and relation = 'gate'::regclass") > 0;
	}

	@Test
	void runsWhatOperatorsRequestBetweenTheBucketsOfAnother() {
		appendAll(3);
		CheckRequests requests = requests();
		try (AnnotationConfigApplicationContext application = start(new Totals(), new OnRequest(), new InBuckets())) {
			awaitApplied("a0", 3);
			UUID slow = requests.add("totals", "in-buckets", "anna", Patience.LONG);
			await().until(() -> this.world.count("""
					select count(*) from pg_stat_activity
					 where datname = current_database() and wait_event = 'PgSleep'""") > 0);
			awaitAnswered(requests.add("totals", "on-request", "bert", Patience.LONG));
			assertThat(requests.rows(slow)).noneMatch(Requested::isAnswered);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Nothing is switched to. While events come it is at rest at moments only. */
	@Test
	void runsWhatOperatorsRequestOnAGenerationBesideTheLiveOneWhileEventsCome() throws Exception {
		appendAll(3);
		CheckRequests requests = requests();
		CountDownLatch over = new CountDownLatch(1);
		try (AnnotationConfigApplicationContext application = start(new Totals(), new OnRequest())) {
			awaitApplied("a0", 3);
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> requests.add("totals", 2, null, "bert", null, Patience.LONG));
			Generations generations = new Generations(this.world, "totals");
			assertThat(generations.build()).isEqualTo(2);
			Thread writer = new Thread(() -> appendUntil(over));
			writer.start();
			try {
				assertThat(checked(2).answer()).extracting(Answer::differences).isEqualTo(0L);
				this.world.jdbc().update("update totals_g2.totals set total = total + 1 where account = 'a0'");
				ReconciliationResult changed = checked(2);
				assertThat(changed.answer()).extracting(Answer::differences).isEqualTo(1L);
				assertThat(changed.run().generation()).isEqualTo(2);
				assertThat(changed.run().actor()).isEqualTo("bert");
				assertThat(checked(null).answer()).extracting(Answer::differences).isEqualTo(0L);
			}
			finally {
				over.countDown();
				writer.join();
			}
			assertThat(generations.live()).isEqualTo(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	private ReconciliationResult checked(@Nullable Integer generation) {
		UUID id = requests().add("totals", generation, "on-request", "bert", "a call", Patience.LONG);
		awaitAnswered(id);
		return new CheckLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults()).answers(id).get(0);
	}

	private void appendUntil(CountDownLatch over) {
		try {
			for (long version = 1; !over.await(20, TimeUnit.MILLISECONDS); version++) {
				this.world.append(World.ACME, "w", version, version);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private CheckRequests requests() {
		return new CheckRequests(this.world.jdbc().getDataSource(), EventingSchema.defaults());
	}

	private void awaitAnswered(UUID id) {
		await().until(() -> requests().rows(id).stream().allMatch(Requested::isAnswered));
	}

	private AnnotationConfigApplicationContext scheduled() {
		return this.world.start(WorldApplication.of(new Totals(), new Scheduled())
			.properties(Map.of("check.every", "1s"))
			.lease(Duration.ofSeconds(10)));
	}

	private long scheduledRuns() {
		return this.world.count("select count(*) from eventing.projection_checks where check_name = 'scheduled'");
	}

	private List<String> actors() {
		return this.world.jdbc()
			.queryForList("select distinct actor from eventing.projection_checks where check_name = 'scheduled'",
					String.class);
	}

	/** A check that runs by itself. */
	static class Scheduled {

		@Reconciliation(name = "scheduled", projector = "totals", every = "${check.every}")
		String check() {
			return Checks.TOTALS;
		}

	}

	/** A check that does not run by itself. */
	static class OnRequest {

		@Reconciliation(name = "on-request", projector = "totals")
		String check() {
			return Checks.TOTALS;
		}

	}

	/** A check that waits as long as a test lets it; behind the other one by its name. */
	static class Waiting {

		@Reconciliation(name = "waiting", projector = "totals", every = "1h")
		String check() {
			return "select id from gate";
		}

	}

	/** A check that takes a minute. */
	static class InBuckets {

		@Reconciliation(name = "in-buckets", projector = "totals", buckets = 120)
		String check() {
			return """
					select bucket
					  from (select current_setting('eventing.bucket') || current_setting('eventing.buckets') as bucket,
					               pg_sleep(0.5)::text as slept) one
					 where slept <> ''""";
		}

	}

}
