package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G11: a generation that is built up to a position or a time shows the read model as it
 * was then, and stays so.
 */
class G11BuildUntilIT extends BesideSetup {

	private static final String SCHEMA = "accounts_g2";

	private static final String NEVER = "shows the read model as it was";

	@Test
	void showsTheReadModelAsItWasAtAPositionWhileEventsGoOn() {
		appendAll(1, 10);
		long then = head();
		appendAll(11, 20);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(20);
			build(new Until.Position(then));
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThatTheReadModelIsExact(SCHEMA, 10);
			assertThat(detail())
				.isEqualTo("Generation 2 is filled in the schema accounts_g2 up to position " + then + ".");
			assertThatNoNodeRunsIt();
			appendAll(21, 30);
			awaitVersions(30);
			assertThatTheReadModelIsExact(SCHEMA, 10);
			ProjectionGeneration generation = this.operators.generations(Accounts.PROJECTOR).get(0);
			assertThat(generation.filledTo()).isEqualTo(then);
			assertThat(generation.times().liveAt()).isNull();
			ProjectorOverview past = overview("past");
			assertThat(past.position()).isEqualTo(then);
			assertThat(past.status().state()).isEqualTo("STOPPED");
			assertThat(past.status().detail()).isEqualTo(NEVER + " at position " + then);
			assertThat(past.behind().events()).isNull();
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> build(new Until.Position(then)))
				.withMessage("Generation 2 of 'accounts' is PAST. Retire it first.");
			retire(2);
			assertThatNothingIsLeft();
			assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.containsExactly(ProjectionAction.BUILD_REQUESTED, ProjectionAction.BUILD_BEGUN, ProjectionAction.PAST,
						ProjectionAction.RETIRE_REQUESTED, ProjectionAction.RETIRED);
		}
	}

	/** The time is that at which the database recorded an event. */
	@Test
	void showsTheReadModelAsItWasAtATime() {
		appendAll(1, 6);
		Instant midnight = Instant.parse("2026-01-01T00:00:00Z");
		this.world.jdbc()
			.update("update eventing.events set recorded_at = timestamptz '%s' + global_position * interval '1 hour'"
				.formatted(midnight));
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(6);
			long then = head() - 3;
			Instant wanted = midnight.plus(then, ChronoUnit.HOURS);
			build(new Until.Time(wanted.plusSeconds(59)));
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThat(this.operators.generations(Accounts.PROJECTOR).get(0).filledTo()).isEqualTo(then);
			assertThat(detail()).isEqualTo("Generation 2 is filled in the schema accounts_g2 up to position " + then
					+ ": the events that were recorded until " + wanted.plusSeconds(59) + ".");
			assertThat(versions(SCHEMA)).isEqualTo(then);
			assertThat(this.projectors.audit(Accounts.PROJECTOR).get(0).detail())
				.isEqualTo("until " + wanted.plusSeconds(59));
		}
	}

	/**
	 * An append that has its position, and commits when the build has begun, belongs to
	 * what was.
	 */
	@Test
	void waitsForAppendsOfThatTimeThatCommitLate() {
		appendAll(1, 3);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(3);
			this.world.inTransaction((store) -> {
				appendLate(store, "late");
				CompletableFuture.runAsync(() -> this.world.append(World.ACME, "after", 1, 1)).join();
				build(new Until.Position(head()));
				await().until(() -> this.projectors.list().size() == 2);
				Callable<Boolean> isBuilding = () -> this.operators.generations(Accounts.PROJECTOR)
					.get(0)
					.status() == ProjectionGeneration.Status.BUILDING;
				await().until(isBuilding);
				Steady.holds(Duration.ofSeconds(1), isBuilding);
				return true;
			});
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThat(versions(SCHEMA)).isEqualTo(3L * NAMES + 2);
			retire(2);
			Instant now = this.world.inTransaction((store) -> {
				appendLate(store, "later");
				Instant moment = databaseTime();
				build(new Until.Time(moment));
				await().until(() -> detail().equals("Transactions are appending that may have begun before " + moment
						+ ", and no later event is there yet. It is tried again."));
				return moment;
			});
			awaitStatus(3, ProjectionGeneration.Status.PAST);
			assertThat(versions("accounts_g3")).isEqualTo(3L * NAMES + 3);
			assertThat(now).isBefore(databaseTime());
		}
	}

	@Test
	void isNeverSwitchedToNorCompared() {
		appendAll(1, 2);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(2);
			long then = head() - 1;
			build(new Until.Position(then));
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> requestSwitch(2))
				.withMessage("Generation 2 of 'accounts' " + NEVER + " at position " + then
						+ ", and is never switched to. Retire it, and build another.");
			// As another program may have stored it.
			this.world.jdbc().update("""
					insert into eventing.projection_requests
					       (projection_name, action, generation, actor, reason, expires_at)
					values ('accounts', 'SWITCH', 2, 'anna', 'a test', now() + interval '1 hour')""");
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).startsWith("Generation 2 " + NEVER);
			assertThat(application.getBean(Reconciliations.class)
				.diff(Accounts.PROJECTOR, "anna", Duration.ofSeconds(1))
				.result()
				.error())
				.isEqualTo("Generation 2 of projector 'accounts' " + NEVER + " at position " + then
						+ ", and the live one continues. Consider your own query over its tables in schema"
						+ " 'accounts_g2'.");
			appendAll(3, 3);
			awaitVersions(3);
		}
	}

	/** A switch that is asked for while it is filled would wait for ever. */
	@Test
	void refusesASwitchWhileItIsFilledAndGoesOnAfterAStop() {
		appendAll(1, 40);
		long then = head();
		Stored first = new Stored();
		first.besideUpTo = 10;
		try (AnnotationConfigApplicationContext application = start(first)) {
			awaitVersions(40);
			build(new Until.Position(then));
			await().ignoreExceptions()
				.until(() -> this.world.count("select count(*) from " + SCHEMA + ".account where version = 10") > 0);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> requestSwitch(2))
				.withMessageContaining(NEVER);
			await().untilAsserted(() -> assertThat(overview("building").status().detail())
				.isEqualTo("filling generation 2 beside the live one, from the event store, up to position " + then));
		}
		appendAll(41, 50);
		try (AnnotationConfigApplicationContext application = start(new Stored());
				AnnotationConfigApplicationContext other = start(new Stored())) {
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThatTheReadModelIsExact(SCHEMA, 40);
			awaitVersions(50);
			assertThatNoNodeRunsIt();
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	/** As in each build. Its own letters are settled, so it ends. */
	@Test
	void treatsEventsAsOperatorsDecided() {
		Stored accounts = new Stored();
		accounts.refused.add("discarded");
		appendAll(1, 3);
		this.world.append(World.ACME, "discarded", 1, 1);
		long then = head();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 1);
			this.world.operators()
				.discard(DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR), "anna", "a test order");
			accounts.refused.clear();
			accounts.refusedBeside.add("a1");
			build(new Until.Position(then));
			awaitStatus(2, ProjectionGeneration.Status.PAST);
			assertThat(versions(SCHEMA)).isEqualTo(3L * (NAMES - 1));
			assertThat(overview("past").openLetters()).isEqualTo(3);
			assertThat(overview("live").openLetters()).isZero();
			retire(2);
			assertThatNothingIsLeft();
		}
	}

	@Test
	void refusesWhatIsNotThereYet() {
		appendAll(1, 1);
		long head = head();
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(1);
			String beyond = "Position " + (head + 1) + " is beyond the end of the event store, which is at " + head
					+ ". Consider a position up to there.";
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> build(new Until.Position(head + 1)))
				.withMessage(beyond);
			Instant tomorrow = databaseTime().plus(1, ChronoUnit.DAYS);
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> build(new Until.Time(tomorrow)))
				.withMessageStartingWith(tomorrow + " is in the future: the clock of the database is at ");
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> build(Until.of("1999-12-31T23:59:59Z")))
				.withMessage("No event was recorded at 1999-12-31T23:59:59Z or before it.");
			// The node that begins it looks, too.
			this.world.jdbc().update("""
					insert into eventing.projection_requests
					       (projection_name, action, actor, reason, expires_at, until_position)
					values ('accounts', 'REBUILD_BESIDE', 'anna', 'a test', now() + interval '1 hour', ?)""", head + 1);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail()).isEqualTo(beyond);
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			assertThatNothingIsLeft();
		}
	}

	private void build(Until until) {
		this.operators.rebuildBeside(Accounts.PROJECTOR, BuildOptions.DEFAULT.until(until), "anna", REASON,
				Patience.LONG);
	}

	private void appendLate(EventStore store, String account) {
		store.append(World.ACME, this.world.storedStream(account), ExpectedVersion.exact(0),
				NewEvent.of(new Deposited(account, 1, 1)));
	}

	private long head() {
		return this.world.count("select max(global_position) from eventing.events");
	}

	/** How many events the read model has applied. */
	private long versions(String schema) {
		return this.world.count("select sum(version) from " + schema + ".account");
	}

	private Instant databaseTime() {
		return Objects
			.requireNonNull(this.world.jdbc().queryForObject("select clock_timestamp()", OffsetDateTime.class))
			.toInstant();
	}

	private void assertThatNoNodeRunsIt() {
		for (String table : new String[] { "leases", "lease_epochs" }) {
			await().until(() -> this.world
				.count("select count(*) from eventing." + table + " where lease_name like '%#%'") == 0);
		}
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.contains("accounts#")));
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
	}

}
