package dev.eventing.sdk.guarantees;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G14: a check in buckets compares each key once, each bucket at one point in time. */
class G14BucketsIT {

	private static final int BUCKETS = 4;

	private static final int ACCOUNTS = 30;

	@AutoClose
	private final World world = World.create();

	private final Parking parking = Parking.of(this.world);

	@BeforeEach
	void createReadModel() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
	}

	@Test
	void sumsTheDifferencesOfAllBucketsAndKeepsTheFirstTen() {
		try (AnnotationConfigApplicationContext application = start()) {
			appendToAll();
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.jdbc().update("update totals set total = -1");
			Answer answer = answer(run(application, "totals"));
			assertThat(answer.differences()).isEqualTo(ACCOUNTS);
			assertThat(answer.sample()).hasSize(10).doesNotHaveDuplicates();
			assertThat(answer.position()).isEqualTo(this.world.checkpoint("totals"));
			assertThat(answer(run(application, "settings")).sample()).containsExactlyInAnyOrder(
					"{\"bucket\": \"0 of 4\"}", "{\"bucket\": \"1 of 4\"}", "{\"bucket\": \"2 of 4\"}",
					"{\"bucket\": \"3 of 4\"}");
			assertThat(answer(run(application, "whole")).sample()).containsExactly("{\"bucket\": \"0 of 1\"}");
			assertThat(application.getBean(Reconciliations.class).results("totals")).hasSize(4);
		}
	}

	@Test
	void hasNoAnswerIfABucketHasNone() {
		try (AnnotationConfigApplicationContext application = start()) {
			appendToAll();
			ReconciliationResult result = run(application, "broken");
			assertThat(result.answer()).isNull();
			assertThat(result.error()).startsWith("Bucket 2 of 4: ").contains("division by zero");
		}
	}

	/** Later buckets see the events that are applied while one runs. */
	@Test
	void takesASnapshotForEachBucketAndReportsTheLowestPosition() throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (AnnotationConfigApplicationContext application = start()) {
			appendToAll();
			long before = this.world.checkpoint("totals");
			List<Future<ReconciliationResult>> slow = new ArrayList<>();
			this.parking.whileItWaits(() -> slow.add(thread.submit(() -> run(application, "slow"))), () -> {
				this.world.append(World.ACME, "a0", 2, 2);
				await().until(() -> this.world.checkpoint("totals") > before);
			});
			Answer answer = answer(slow.get(0).get());
			assertThat(answer.position()).isEqualTo(before);
			assertThat(answer.sample()).anySatisfy((row) -> assertThat(row).contains("\"events\": " + ACCOUNTS))
				.anySatisfy((row) -> assertThat(row).contains("\"events\": " + (ACCOUNTS + 1)));
		}
		finally {
			thread.shutdown();
		}
	}

	@Test
	void refusesBucketsThatTheQueryDoesNotSelect() {
		assertThatExceptionOfType(InvalidDeclarationException.class)
			.isThrownBy(() -> this.world.start(WorldApplication.of(new ReconciliationSetup.Totals(), new Wrong())))
			.withMessageContaining("it has 4 buckets, but its query does not select the keys of one")
			.withMessageContaining("its buckets are 0. Consider 1 to 1000.");
	}

	private void appendToAll() {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "a" + account, 1, 1);
		}
		await().until(() -> this.world.checkpoint("totals") >= this.world
			.count("select max(global_position) from eventing.events"));
	}

	private AnnotationConfigApplicationContext start() {
		AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new ReconciliationSetup.Totals(), new Checks()));
		await().until(() -> this.world.count("select count(*) from eventing.projector_checkpoints") == 1);
		return application;
	}

	private static ReconciliationResult run(AnnotationConfigApplicationContext application, String check) {
		return application.getBean(Reconciliations.class).run(check, "test");
	}

	private static Answer answer(ReconciliationResult result) {
		assertThat(result.error()).isNull();
		Answer answer = result.answer();
		assertThat(answer).isNotNull();
		return answer;
	}

	/** The application's checks. */
	static class Checks {

		private static final String BUCKET = """
				(hashtext(account) & 2147483647) % current_setting('eventing.buckets')::int
				= current_setting('eventing.bucket')::int""";

		private static final String SETTINGS = """
				select current_setting('eventing.bucket') || ' of ' || current_setting('eventing.buckets') as bucket""";

		@Reconciliation(name = "totals", projector = "totals", buckets = BUCKETS)
		String totals() {
			return """
					with expected as (
					  select account, sum(amount) as total
					    from (select payload->>'account' as account, (payload->>'amount')::bigint as amount
					            from eventing.applied_events('totals')) applied
					   where %1$s group by 1),
					found as (select account, total from totals where %1$s)
					select account, e.total as expected, f.total as found
					  from expected e full join found f using (account)
					 where e.total is distinct from f.total""".formatted(BUCKET);
		}

		@Reconciliation(name = "settings", projector = "totals", buckets = BUCKETS)
		String settings() {
			return SETTINGS;
		}

		@Reconciliation(name = "whole", projector = "totals")
		String whole() {
			return SETTINGS;
		}

		@Reconciliation(name = "broken", projector = "totals", buckets = BUCKETS)
		String broken() {
			return "select 1 / (current_setting('eventing.bucket')::int - 2)";
		}

		@Reconciliation(name = "slow", projector = "totals", buckets = 2)
		String slow() {
			return """
					with waited as materialized (
					  select case when current_setting('eventing.bucket') = '0' then parked(14) end)
					select count(*) as events from waited, eventing.applied_events('totals')""";
		}

	}

	/** Invalid checks. */
	static class Wrong {

		@Reconciliation(name = "forgetful", projector = "totals", buckets = BUCKETS)
		String forgetful() {
			return "select 1 where false";
		}

		@Reconciliation(name = "none", projector = "totals", buckets = 0)
		String none() {
			return "select 1 where false";
		}

	}

}
