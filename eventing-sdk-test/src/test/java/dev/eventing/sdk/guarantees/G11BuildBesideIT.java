package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.lease.LeaseOptions;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G11: while a generation is built beside the live one, readers and the live one notice
 * nothing but load.
 */
class G11BuildBesideIT extends BesideSetup {

	private static final String SCHEMA = "accounts_g2";

	@Test
	void fillsAGenerationFromAllEventsWhileTheLiveOneGoesOn() {
		appendAll(1, 30);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 30);
			this.world.jdbc().update("update account set total = -1 where account = 'a3'");
			build();
			appendAll(31, 60);
			awaitStatus(2, ProjectionGeneration.Status.READY);
			appendAll(61, 70);
			awaitVersions("public", 70);
			awaitVersions(SCHEMA, 70);
			assertThatTheReadModelIsExact(SCHEMA, 70);
			assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
			assertThat(this.world.count("select total from account where account = 'a3'"))
				.isEqualTo(-1 + 70 * 71 / 2 - 30 * 31 / 2);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(70L * NAMES);
			await().until(() -> overview("ready").status().state().equals("RUNNING"));
			assertThat(overview("live").generation().number()).isEqualTo(1);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(this::build)
				.withMessage("Generation 2 of 'accounts' is READY. Retire it first.");
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG));
			retire(2);
			assertThatNothingIsLeft();
			assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.containsExactly(ProjectionAction.BUILD_REQUESTED, ProjectionAction.BUILD_BEGUN, ProjectionAction.READY,
						ProjectionAction.RETIRE_REQUESTED, ProjectionAction.RETIRED);
			appendAll(71, 72);
			awaitVersions("public", 72);
		}
	}

	/** Each stop leaves the lanes where they are, and another node continues. */
	@Test
	void goesOnWhereItWasAfterAStop() {
		appendAll(1, 40);
		Stored first = new Stored();
		first.besideUpTo = 10;
		try (AnnotationConfigApplicationContext application = start(first)) {
			awaitVersions("public", 40);
			build();
			await().ignoreExceptions()
				.until(() -> this.world.count("select count(*) from " + SCHEMA + ".account where version = 10") > 0);
		}
		appendAll(41, 50);
		try (AnnotationConfigApplicationContext application = start(new Stored());
				AnnotationConfigApplicationContext other = start(new Stored())) {
			awaitStatus(2, ProjectionGeneration.Status.READY);
			awaitVersions(SCHEMA, 50);
			assertThatTheReadModelIsExact(SCHEMA, 50);
			awaitVersions("public", 50);
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	@BeforeEach
	void createATableThatHandlersMayForget() {
		this.world.jdbc()
			.execute(
					"create table if not exists per_tenant (tenant_id text primary key, events bigint not null default 0)");
		this.world.jdbc().execute("truncate per_tenant");
	}

	/**
	 * A table that the projector does not declare would be that of the live generation.
	 */
	@Test
	void failsRatherThanWriteToATableOfTheLiveGeneration() {
		appendAll(1, 3);
		Forgetful accounts = new Forgetful();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions("public", 3);
			assertThat(this.world.count("select sum(events) from per_tenant")).isEqualTo(3L * NAMES);
			build();
			awaitStatus(2, ProjectionGeneration.Status.FAILED);
			assertThat(generation().failure()).contains("public.per_tenant");
			assertThat(this.world.count("select sum(events) from per_tenant")).isEqualTo(3L * NAMES);
			assertThat(this.world.count("select count(*) from " + SCHEMA + ".account")).isZero();
			appendAll(4, 4);
			awaitVersions("public", 4);
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	/** Queued writes and additions meet the generation's tables, too. */
	@Test
	void meetsItsOwnTablesThroughTheReadModelWriter() {
		appendAll(1, 20);
		try (AnnotationConfigApplicationContext application = start(new Queued())) {
			awaitVersions("public", 20);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThatTheReadModelIsExact(SCHEMA, 20);
			assertThat(this.world.count("select sum(events) from " + SCHEMA + ".per_tenant")).isEqualTo(20L * NAMES);
			assertThat(this.world.count("select sum(events) from per_tenant")).isEqualTo(20L * NAMES);
			retire(2);
		}
	}

	@Test
	void treatsEventsAsOperatorsDecidedAndKeepsItsLettersToItself() {
		Stored accounts = new Stored();
		accounts.refused.add("discarded");
		appendAll(1, 3);
		this.world.append(World.ACME, "discarded", 1, 1);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			this.world.operators()
				.discard(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna", "a test order");
			accounts.refused.clear();
			accounts.refusedBeside.add("a1");
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			assertThat(this.world.count("select count(*) from " + SCHEMA + ".account where account = 'discarded'"))
				.isZero();
			assertThat(this.world.count(
					"select count(*) from eventing.dead_letters where projector_name = 'accounts#2' and status = 'PARKED'"))
				.isEqualTo(3);
			assertThat(overview("ready").openLetters()).isEqualTo(3);
			assertThat(overview("live").openLetters()).isZero();
			assertThat(this.world.operators().stats(DeadLetterFilter.ALL, Duration.ofHours(1), 1).groups())
				.allMatch((group) -> group.projector().equals(Accounts.PROJECTOR));
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	@Test
	void refusesBeforehandWhatCannotBeBuilt() {
		this.world.jdbc().execute("create view rich as select * from account where total > 100");
		appendAll(1, 1);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 1);
			build();
			await().until(() -> status() == Status.FAILED);
			assertThat(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail()).contains("rich");
			this.world.jdbc().execute("drop view rich");
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			assertThatNothingIsLeft();
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> this.operators.retire(Accounts.PROJECTOR, 2, "anna", REASON, Patience.LONG));
		}
	}

	/** A switch would take it away from under the other one. */
	@Test
	void refusesATableThatAnotherProjectorDeclares() {
		appendAll(1, 1);
		Others others = new Others();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Stored(), others).lease(Duration.ofSeconds(2)))) {
			awaitVersions("public", 1);
			await().until(() -> !this.operators.generations("others").isEmpty());
			for (String projector : List.of(Accounts.PROJECTOR, "others")) {
				this.operators.rebuildBeside(projector, "anna", REASON, Patience.LONG);
				await()
					.until(() -> this.operators.lastRequest(projector).orElseThrow().state().status() == Status.FAILED);
				assertThat(this.operators.lastRequest(projector).orElseThrow().state().detail()).startsWith("Table '"
						+ (projector.equals("others") ? "VIOLATIONS" : "violations") + "' is declared by projector '"
						+ (projector.equals("others") ? "accounts" : "others") + "', too.");
			}
		}
	}

	/**
	 * A version that handles something else does not continue with what another began.
	 */
	/** Another node had been about to drop the generation, too. */
	@Test
	void leavesNoLeaseThatANodeTookAfterAnotherHadDroppedTheGeneration() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored());
				Leases other = new Leases(this.world.jdbc().getDataSource(), EventingSchema.defaults(),
						LeaseOptions.of(Duration.ofSeconds(1)))) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
			retire(2);
			assertThatNothingIsLeft();
			Objects.requireNonNull(other.tryAcquire("projector/accounts#2")).release();
			build();
			awaitStatus(3, ProjectionGeneration.Status.READY);
			await().until(() -> this.world
				.count("select count(*) from eventing.lease_epochs where lease_name like '%#2'") == 0);
			retire(3);
			assertThatNothingIsLeft();
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void doesNotGoOnWhereTheCodeHandlesSomethingElse() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions("public", 3);
			build();
			awaitStatus(2, ProjectionGeneration.Status.READY);
		}
		appendAll(4, 4);
		try (AnnotationConfigApplicationContext application = start(new Wider())) {
			await().until(() -> overview("ready").status().state().equals("FAILED"));
			assertThat(overview("ready").status().detail()).contains("The code handles something else");
		}
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(SCHEMA, 4);
			assertThatTheReadModelIsExact(SCHEMA, 4);
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	private ProjectionGeneration generation() {
		return this.operators.generations(Accounts.PROJECTOR).get(0);
	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Forgetful extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
			this.jdbc.update("""
					insert into per_tenant values (?, 1)
					on conflict (tenant_id) do update set events = per_tenant.events + 1""", tenantId);
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations", "per_tenant" })
	static class Queued extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId, ReadModelWriter writer) {
			writer.update("""
					insert into account as a (tenant_id, account, version, total) values (?, ?, ?, ?)
					on conflict (tenant_id, account) do update
					   set version = excluded.version, total = a.total + excluded.total""", tenantId, event.account(),
					event.version(), event.amount());
			writer.add("per_tenant", Map.of("tenant_id", tenantId), Map.of("events", 1));
		}

	}

	/** Declares a table of the other projector. */
	@Projector(value = "others", tables = "VIOLATIONS")
	static class Others {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event) {
			// only its declaration counts
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Wider extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", source = Source.EVENT_STORE)
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			throw new IllegalStateException("there is none");
		}

		record Withdrawn(String account) {
		}

	}

}
