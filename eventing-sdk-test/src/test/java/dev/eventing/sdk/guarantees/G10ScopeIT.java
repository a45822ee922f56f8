package dev.eventing.sdk.guarantees;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G10, G13: the rebuild of a part ends with the rows that a new projector would have
 * built for it, and leaves all others as they are.
 */
class G10ScopeIT extends ScopeSetup {

	private static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

	@Test
	void rebuildsStreamsAndLeavesAllOtherRowsAsTheyAre() {
		appendAll(1, 20);
		this.world.append(World.ACME, "both", 1, 5);
		this.world.append(GLOBEX, "both", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new Owned())) {
			awaitVersions(20);
			awaitClaims();
			String others = "(tenant_id, account) not in (('acme', 'a1'), ('acme', 'a2'), ('acme', 'both'))";
			this.world.jdbc().update("update account set total = -1 where account = 'a1' and tenant_id = 'acme'");
			this.world.jdbc().update("delete from account where account = 'a2'");
			List<String> before = rows("account", others);
			assertThat(rebuilt(streams("a1", "a2", "both"))).contains("stream '" + this.world.storedStream("a1")
					+ "' of tenant 'acme': 20 events are applied again, 1 rows were deleted before, 0 dead letters are"
					+ " resolved", "stream '" + this.world.storedStream("a2") + "'");
			assertThatTheReadModelIsExact(20);
			assertThat(rows("account", others)).isEqualTo(before);
			assertThat(this.world.version(World.ACME, "both")).isEqualTo(5);
			assertThat(claims()).isEqualTo(events());
			assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.containsExactly(ProjectionAction.SCOPE_REQUESTED, ProjectionAction.SCOPE_REBUILT,
						ProjectionAction.SCOPE_REBUILT, ProjectionAction.SCOPE_REBUILT);
			await().until(() -> state(application) == ProjectorState.RUNNING);
			appendAll(21, 22);
			awaitVersions(22);
			assertThatTheReadModelIsExact(22);
		}
	}

	@Test
	void appliesTheKeysOfLettersInOrderAndResolvesTheLetters() {
		Owned accounts = new Owned();
		accounts.refused.addAll(Set.of("a2", "d"));
		appendAll(1, 3);
		this.world.append(World.ACME, "d", 1, 1);
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> openLetters() == 4 && claims() == events() - 4);
			this.world.operators()
				.discard(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR)
					.withOrderingKey(this.world.storedStream("d")), "anna", "a test order");
			accounts.refused.clear();
			List<String> before = rows("account", "account <> 'a2'");
			DeadLetter second = this.world.deadLetters(Accounts.PROJECTOR)
				.stream()
				.filter((each) -> each.handling().status() == DeadLetterStatus.PARKED)
				.findFirst()
				.orElseThrow();
			assertThat(rebuilt(new RebuildScope.KeysOfLetters(Set.of(second.letterId()))))
				.contains("3 events are applied again, 0 rows were deleted before, 3 dead letters are resolved");
			assertThatTheReadModelIsExact(3);
			assertThat(openLetters()).isZero();
			assertThat(this.world.operators().audit(second.letterId())).last()
				.satisfies((entry) -> assertThat(entry.action()).isEqualTo(DeadLetterAction.REBUILT));
			assertThat(rows("account", "account <> 'a2'")).isEqualTo(before);
			rebuilt(streams("d"));
			assertThat(this.world.version(World.ACME, "d")).isZero();
			assertThat(claims()).isEqualTo(events());
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> rebuild(new RebuildScope.KeysOfLetters(Set.of(new UUID(1, 2)))))
				.withMessageContaining("is no letter of projector 'accounts'");
			appendAll(4, 5);
			awaitVersions(5);
			assertThatTheReadModelIsExact(5);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void rebuildsATenantAndLeavesEveryOtherTenantsRowsAsTheyAre() {
		Owned accounts = new Owned();
		accounts.refused.add("a5");
		appendAll(1, 10);
		for (int account = 0; account < NAMES; account++) {
			this.world.append(GLOBEX, "b" + account, 1, 3);
		}
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> openLetters() == 10 && claims() == events() - 10);
			accounts.refused.clear();
			this.world.jdbc().update("update account set total = 0 where tenant_id = 'acme'");
			this.world.jdbc().update("insert into account values ('acme', 'ghost', 1, 1)");
			List<String> before = rows("account", "tenant_id <> 'acme'");
			assertThat(rebuilt(new RebuildScope.OfTenant(World.ACME)))
				.contains("tenant 'acme': 70 events are applied again, 7 rows were deleted before, 10 dead letters are"
						+ " resolved; events were found in ");
			assertThatTheReadModelIsExact(10);
			assertThat(this.world.count("select count(*) from account where account = 'ghost'")).isZero();
			assertThat(rows("account", "tenant_id <> 'acme'")).isEqualTo(before).hasSize(NAMES);
			assertThat(claims()).isEqualTo(events());
			assertThat(openLetters()).isZero();
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void rebuildsAWindowOfARollUpWithoutTheEventsOfOpenLetters() {
		appendAll(1, 10);
		this.world.append(GLOBEX, "b", 1, 10);
		this.world.append(World.ACME, "broken", 1, 1);
		this.world.jdbc()
			.update("update eventing.events set occurred_at = ?::timestamptz + global_position * interval '5 minutes'",
					MIDNIGHT.toString());
		Hourly hourly = new Hourly();
		hourly.refused = "broken";
		try (AnnotationConfigApplicationContext application = start(hourly)) {
			await().until(() -> openLetters() == 1 && claims() == events() - 1);
			List<String> exact = this.world.jdbc()
				.queryForList("select t::text from hourly t order by 1", String.class);
			hourly.refused = "";
			Instant from = MIDNIGHT.plusSeconds(3600);
			Instant to = MIDNIGHT.plusSeconds(8 * 3600);
			String others = "hour < '%s' or hour >= '%s'".formatted(from, to);
			this.world.jdbc().update("update hourly set total = 5, events = 7 where not (" + others + ")");
			List<String> before = rows("hourly", others);
			assertThat(rebuilt(new RebuildScope.Window(from, to, null))).contains("0 dead letters are resolved");
			assertThat(this.world.jdbc().queryForList("select t::text from hourly t order by 1", String.class))
				.isEqualTo(exact);
			assertThat(rows("hourly", others)).isEqualTo(before).isNotEmpty();
			assertThat(openLetters()).isEqualTo(1);
			this.world.jdbc().update("update hourly set total = 5 where tenant_id = 'globex'");
			List<String> ofOthers = rows("hourly", "tenant_id = 'acme'");
			rebuilt(new RebuildScope.Window(MIDNIGHT, MIDNIGHT.plusSeconds(24 * 3600), GLOBEX));
			assertThat(this.world.jdbc().queryForList("select t::text from hourly t order by 1", String.class))
				.isEqualTo(exact);
			assertThat(rows("hourly", "tenant_id = 'acme'")).isEqualTo(ofOthers);
			assertThat(refused(new RebuildScope.Window(from.plusSeconds(60), to, null)))
				.isEqualTo("The window ends within a bucket of table 'hourly', which lasts PT1H, at"
						+ " 2026-01-01T01:01:00Z. Consider 2026-01-01T01:00:00Z, or 2026-01-01T02:00:00Z.");
			assertThat(refused(streams("a1")))
				.startsWith("Table 'hourly' does not declare which column holds the stream id of a row. Consider"
						+ " @Projector(rows = @ReadModelRows(table = \"hourly\", streamColumn = \"stream_id\"))");
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void refusesWhatIsNotDeclaredAndWhatIsTooLargeByName() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(3);
			assertThat(refused(new RebuildScope.OfTenant(World.ACME)))
				.startsWith("Table 'account' does not declare which column holds the tenant of a row.")
				.contains("tenantColumn = \"tenant_id\"");
			assertThat(refused(new RebuildScope.Window(MIDNIGHT, MIDNIGHT.plusSeconds(3600), null)))
				.contains("holds the time bucket of a row", "bucketLength = \"PT1H\"");
		}
		try (AnnotationConfigApplicationContext application = start(new Resetting())) {
			assertThat(refused(streams("a1"))).contains("does not declare all that it writes to as tables");
		}
		try (AnnotationConfigApplicationContext application = start(new Owned())) {
			List<String> before = rows("account", "true");
			ProjectionRequest request = this.operators.rebuildScope(Accounts.PROJECTOR,
					new ScopedRebuild(streams("a1"), 2), ANNA, Patience.LONG);
			assertThat(ended(request, Status.FAILED)).startsWith(
					"More than 2 events are in stream '" + this.world.storedStream("a1") + "' of tenant 'acme'.");
			assertThat(rows("account", "true")).isEqualTo(before);
			assertThatTheReadModelIsExact(3);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void refusesAProjectorThatReadsJetStream() {
		this.world.publish(World.ACME, "a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new FromJetStream())) {
			await().until(() -> this.world.version(World.ACME, "a1") == 3);
			assertThat(refused(new RebuildScope.OfTenant(World.ACME))).startsWith("The projector reads JetStream");
			assertThat(this.world.version(World.ACME, "a1")).isEqualTo(3);
		}
	}

	/** By an update, by an insert and by a delete. */
	@Test
	void changesNothingIfHandlersChangeOtherRowsToo() {
		appendAll(1, 3);
		Straying accounts = new Straying();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(3);
			List<String> before = rows("account", "true");
			for (String stray : List.of("update account set total = total where account = 'a6'",
					"insert into account values ('acme', 'new', 1, 1) on conflict do nothing",
					"delete from account where account = 'a6'")) {
				accounts.stray = stray;
				assertThat(refused(streams("a1"))).contains("rows of table 'account' that are not of this part");
				assertThat(rows("account", "true")).as(stray).isEqualTo(before);
			}
			accounts.stray = "select 1";
			rebuilt(streams("a1"));
			assertThatTheReadModelIsExact(3);
		}
	}

	/** The message of the database has the whole row. */
	@Test
	void tellsWhyAHandlerFailsWithoutWhatItWrites() {
		appendAll(1, 2);
		Straying accounts = new Straying();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(2);
			accounts.stray = "insert into account (tenant_id, account, version, total) values ('x', 'y', null, 77123)";
			assertThat(refused(streams("a1"))).contains("null value in column \"version\"").doesNotContain("77123");
		}
	}

	@Test
	void appliesNoEventsOfBeforeTheProjectorBegan() {
		this.world.append(World.ACME, "a1", 1, 2);
		try (AnnotationConfigApplicationContext application = start(new Since())) {
			await().until(() -> state(application) == ProjectorState.RUNNING);
			this.world.append(World.ACME, "a1", 3, 4);
			await().until(() -> this.world.version(World.ACME, "a1") == 4);
		}
		try (AnnotationConfigApplicationContext application = start(new Owned())) {
			assertThat(rebuilt(streams("a1"))).contains("2 events are applied again");
			assertThat(this.world.count("select total from account where account = 'a1'")).isEqualTo(3 + 4);
		}
	}

	@Test
	void changesNothingIfAHandlerFailsAndSaysOnWhichEvent() {
		appendAll(1, 3);
		Owned accounts = new Owned();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(3);
			List<String> before = rows("account", "true");
			accounts.refused.add("a2");
			assertThat(refused(streams("a1", "a2"))).contains("Owned.on(Deposited, UUID, String) failed on event ",
					"key 'acme/" + this.world.storedStream("a2") + "'", "1 of 2 streams are rebuilt");
			assertThat(rows("account", "account <> 'a1'"))
				.isEqualTo(before.stream().filter((row) -> !row.startsWith("(acme,a1,")).toList());
			assertThatTheReadModelIsExact(3);
			assertThat(openLetters()).isZero();
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** A service that a handler calls has failed, and the handler has caught that. */
	@Test
	void changesNothingIfAHandlerLeavesATransactionThatCannotCommit() {
		appendAll(1, 3);
		Undecided accounts = new Undecided();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(3);
			List<String> before = rows("account", "true");
			accounts.rollsBack = true;
			assertThat(refused(streams("a1"))).contains("rolled back");
			accounts.rollsBack = false;
			assertThat(rows("account", "true")).isEqualTo(before);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@Test
	void isCancelledWhileItIsUnderWay() {
		appendAll(1, 10);
		CountDownLatch free = new CountDownLatch(1);
		Owned accounts = new Owned();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(10);
			List<String> before = rows("account", "true");
			accounts.wait = free;
			ProjectionRequest request = rebuild(new RebuildScope.OfTenant(World.ACME));
			await().until(() -> detail().contains("the events of tenant 'acme'"));
			assertThat(this.operators.cancel(Accounts.PROJECTOR, "anna", "not now")).isTrue();
			free.countDown();
			ended(request, Status.CANCELLED);
			await().until(() -> state(application) == ProjectorState.RUNNING);
			assertThat(rows("account", "true")).isEqualTo(before);
			rebuilt(new RebuildScope.OfTenant(World.ACME));
			assertThatTheReadModelIsExact(10);
		}
	}

	@Test
	void saysBeforehandHowMuchItWouldApply() {
		appendAll(1, 4);
		try (AnnotationConfigApplicationContext application = start(new Owned())) {
			awaitVersions(4);
			RequestPlan plan = this.operators.plan(Accounts.PROJECTOR,
					ProjectionRequest.What.part(new ScopedRebuild(streams("a1"))));
			assertThat(plan.obstacles()).isEmpty();
			assertThat(plan.notes()).contains(
					"4 events would be applied again of stream '" + this.world.storedStream("a1")
							+ "' of tenant 'acme', as far as a handler takes them.",
					"0 open dead letters would be resolved.");
			RequestPlan larger = this.operators.plan(Accounts.PROJECTOR,
					ProjectionRequest.What.part(new ScopedRebuild(new RebuildScope.OfTenant(World.ACME), 5)));
			assertThat(larger.obstacles()).containsExactly("More than 5 events are in tenant 'acme'.");
			RequestPlan unknown = this.operators.plan(Accounts.PROJECTOR, ProjectionRequest.What
				.part(new ScopedRebuild(new RebuildScope.KeysOfLetters(Set.of(new UUID(1, 2))))));
			assertThat(unknown.obstacles()).singleElement().asString().contains("is no letter of projector 'accounts'");
			assertThat(this.operators.lastRequest(Accounts.PROJECTOR)).isEmpty();
		}
	}

	/** Events that are appended meanwhile come after it, in the order of their keys. */
	@Test
	void losesNothingOfWhatIsAppendedMeanwhile() {
		appendAll(1, 50);
		try (AnnotationConfigApplicationContext application = start(new Owned())) {
			awaitVersions(50);
			List<ProjectionRequest> requests = new ArrayList<>();
			for (long version = 51; version <= 100; version++) {
				if (version % 10 == 1) {
					requests.add(rebuild((version % 20 == 1) ? new RebuildScope.OfTenant(World.ACME) : streams("a3")));
				}
				appendAll(version, version);
				if (version % 10 == 0) {
					ended(requests.get(requests.size() - 1), Status.DONE);
				}
			}
			awaitVersions(100);
			assertThatTheReadModelIsExact(100);
			awaitClaims();
		}
	}

	/** Events of other sources may be in a stream. */
	@Projector(value = Accounts.PROJECTOR, tables = "account", rows = @ReadModelRows)
	static class FromJetStream extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

}
