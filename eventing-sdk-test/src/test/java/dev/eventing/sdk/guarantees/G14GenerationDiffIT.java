package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.reconcile.GenerationComparison;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G14: two generations of a read model are compared where both have settled the same
 * events.
 */
class G14GenerationDiffIT {

	private static final int ACCOUNTS = 12;

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createReadModel() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
	}

	@Test
	void findsTheRowsInWhichGenerationsDiffer() {
		appendToAll(1);
		try (AnnotationConfigApplicationContext application = start()) {
			assertThat(diff(application).result().error()).contains("has no generation beside the live one");
			String schema = build(application);
			appendToAll(2);
			awaitEqual(schema);
			GenerationDiff equal = diff(application);
			assertThat(answer(equal).differences()).isZero();
			assertThat(equal.tables()).singleElement().satisfies((table) -> {
				assertThat(table.table()).isEqualTo("totals");
				assertThat(table.liveRows()).isEqualTo(ACCOUNTS);
				assertThat(table.otherRows()).isEqualTo(ACCOUNTS);
				assertThat(table.onlyInLive()).isEmpty();
			});
			this.world.jdbc().update("update totals set total = -1 where account = 'a0'");
			this.world.jdbc().update("delete from totals where account = 'a1'");
			this.world.jdbc().update("delete from %s.totals where account = 'a2'".formatted(schema));
			this.world.jdbc().execute("alter table totals add column note text");
			GenerationDiff different = diff(application);
			assertThat(answer(different).differences()).isEqualTo(3);
			assertThat(answer(different).sample()).hasSize(3)
				.anySatisfy((row) -> assertThat(row).contains("\"a0\"", "\"different\"", "[\"total\"]")
					.doesNotContain("-1"))
				.anySatisfy((row) -> assertThat(row).contains("\"a1\"", "only in the other generation"))
				.anySatisfy((row) -> assertThat(row).contains("\"a2\"", "only in the live generation"));
			assertThat(different.tables().get(0).onlyInLive()).containsExactly("note");
			List<ReconciliationResult> stored = application.getBean(Reconciliations.class).results("totals");
			assertThat(stored.get(0).check()).isEqualTo(GenerationComparison.NAME);
			assertThat(stored.get(0).run().generation()).isEqualTo(2);
			assertThat(stored.get(0).answer()).isEqualTo(answer(different));
		}
	}

	@Test
	void listsTheFirstTenOfManyDifferences() {
		appendToAll(1);
		try (AnnotationConfigApplicationContext application = start()) {
			String schema = build(application);
			awaitEqual(schema);
			this.world.jdbc().update("update totals set total = -1");
			Answer answer = answer(diff(application));
			assertThat(answer.differences()).isEqualTo(ACCOUNTS);
			assertThat(answer.sample()).hasSize(10).doesNotHaveDuplicates();
		}
	}

	@Test
	void findsTablesWhoseNamesAreDeclaredWithQuotesOrInCapitals() {
		appendToAll(1);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitEqual(build(application));
		}
		this.world.jdbc().update("update eventing.projections set tables = '{TOTALS}' where generation = 2");
		assertThat(answer(offline()).differences()).isZero();
		this.world.jdbc().update("update eventing.projections set tables = array['\"totals\"'] where generation = 2");
		assertThat(answer(offline()).differences()).isZero();
	}

	/** Where each is a different one of the same events, rows would differ. */
	@Test
	void hasNoAnswerUnlessBothHaveSettledTheSameEvents() {
		appendToAll(1);
		try (AnnotationConfigApplicationContext application = start()) {
			awaitEqual(build(application));
		}
		assertThat(answer(offline()).differences()).isZero();
		this.world.jdbc().update("""
				insert into eventing.processed_events (projector_name, event_id, tenant_id)
				select 'totals', event_id, tenant_id from eventing.events order by global_position desc limit 1
				on conflict do nothing""");
		this.world.jdbc()
			.update("update eventing.projector_checkpoints set position = position - 1 where projector_name = 'totals#2'");
		assertThat(offline().result().error()).contains("have not settled the same events");
		this.world.jdbc()
			.update("update eventing.projector_checkpoints set position = position - 1 where projector_name = 'totals'");
		assertThat(offline().result().error()).as("one of them is ahead of its checkpoint")
			.contains("have not settled the same events");
	}

	private GenerationDiff offline() {
		CheckLedger ledger = new CheckLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults());
		return new GenerationComparison(this.world.jdbc().getDataSource(), EventingSchema.defaults(), ledger,
				Patience.LONG)
			.run("totals", "anna", Duration.ofMillis(200), (progress) -> {
			});
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(new ReconciliationSetup.Totals()).lease(Duration.ofSeconds(2)));
	}

	/** Returns the schema of the generation beside the live one, once it is ready. */
	private String build(AnnotationConfigApplicationContext application) {
		Projections projections = application.getBean(Projections.class);
		projections.rebuildBeside("totals", "anna", "a test", Patience.LONG);
		return await()
			.until(() -> projections.generations("totals")
				.stream()
				.filter((each) -> each.status() == ProjectionGeneration.Status.READY)
				.map((each) -> String.valueOf(each.schema()))
				.findFirst(), Optional::isPresent)
			.orElseThrow();
	}

	private void appendToAll(long version) {
		for (int account = 0; account < ACCOUNTS; account++) {
			this.world.append(World.ACME, "a" + account, version, version);
		}
	}

	private void awaitEqual(String schema) {
		long events = this.world.count("select count(*) from eventing.events");
		await().until(() -> this.world.count("select coalesce(sum(events), 0) from totals") == events
				&& this.world.count("select coalesce(sum(events), 0) from " + schema + ".totals") == events);
	}

	private static GenerationDiff diff(AnnotationConfigApplicationContext application) {
		return application.getBean(Reconciliations.class).diff("totals", "anna", Patience.LONG);
	}

	private static Answer answer(GenerationDiff diff) {
		assertThat(diff.result().error()).isNull();
		Answer answer = diff.result().answer();
		assertThat(answer).isNotNull();
		return answer;
	}

}
