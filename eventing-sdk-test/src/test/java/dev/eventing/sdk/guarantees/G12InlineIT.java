package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.WrongTransactionException;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.InlineStatus;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projector.InlineProjectionException;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.AppendInListenerException;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Handlers of an inline projector run in the transaction that appends. */
class G12InlineIT extends InlineSetup {

	private final Inline accounts = new Inline();

	/** It does not read what these events contain. */
	@Test
	void recordsTheTypesThatItPassesOverForLaterCode() {
		AnnotationConfigApplicationContext node = startInline(new Inline());
		append(node, "a", 1, 1);
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> store.append(World.ACME,
				this.world.storedStream("a"), ExpectedVersion.exact(1), NewEvent.of(new Renamed("b"))));
		await().until(() -> this.world
			.count("""
					select count(*) from eventing.projector_coverage
					 where projector_name = 'accounts' and kind = 'TYPE' and name like '%Renamed' and passed_from = 1""") == 1);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		assertThat(version("a")).isOne();
	}

	@Test
	void followsTheEventStoreUntilItIsLevelAndRunsInAppendsFromThenOn() {
		this.world.append(World.ACME, "a", 1, 20);
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		assertThat(version("a")).isEqualTo(20);
		in(node, TransactionDefinition.ISOLATION_DEFAULT, (store) -> {
			append(store, "a", 21);
			assertThat(node.getBean(JdbcTemplate.class)
				.queryForObject("select version from account where account = 'a'", Long.class)).isEqualTo(21);
			assertThat(version("a")).as("as others see it").isEqualTo(20);
			return true;
		});
		assertThat(version("a")).isEqualTo(21);
		append(node, "b", 1, 3);
		assertThat(version("b")).isEqualTo(3);
		assertThat(this.world.count("select count(*) from eventing.processed_events")).as("claims").isEqualTo(20);
		assertThatTheReadModelHasAllEvents();
		await().until(() -> World.status(node, Accounts.PROJECTOR).detail().startsWith("inline:"));
	}

	@Test
	void rollsTheAppendBackIfAHandlerFails() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 1);
		this.accounts.refused.add("a");
		assertThatExceptionOfType(InlineProjectionException.class).isThrownBy(() -> append(node, "a", 2, 2))
			.withMessageContaining("Inline projector 'accounts' did not apply event")
			.withMessageContaining("Consider demoting")
			.withCauseInstanceOf(IllegalArgumentException.class)
			.satisfies((ex) -> assertThat(ex.projector()).isEqualTo(Accounts.PROJECTOR));
		assertThat(this.world.count("select count(*) from eventing.events")).isEqualTo(1);
		append(node, "b", 1, 1);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void throwsAFailureThatMayPassAsAnyCallOfTheDatabaseDoes() {
		AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(new Unlucky()).lease(Duration.ofSeconds(2)));
		await().until(
				() -> this.world.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 1);
		assertThatExceptionOfType(ConcurrencyFailureException.class).isThrownBy(() -> append(node, "a", 1, 1))
			.withCauseInstanceOf(SQLException.class);
		assertThat(this.world.count("select count(*) from eventing.events")).isZero();
	}

	/** Else the caller's commit would be a rollback, and the caller would not know. */
	@Test
	void throwsIfAHandlerCatchesAnErrorThatAbortsTheTransaction() {
		AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(new Careless()).lease(Duration.ofSeconds(2)));
		await().until(
				() -> this.world.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 1);
		assertThatExceptionOfType(InlineProjectionException.class).isThrownBy(() -> append(node, "a", 1, 1))
			.withCauseInstanceOf(UnexpectedRollbackException.class);
		assertThat(this.world.count("select count(*) from eventing.events")).isZero();
	}

	@Test
	void hasAllCommittedEventsAtOnce() throws InterruptedException {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		ProjectorProgress progress = node.getBean(ProjectorProgress.class);
		append(node, "a", 1, 50);
		long head = this.world.count("select max(global_position) from eventing.events");
		assertThat(progress.awaitPosition(Accounts.PROJECTOR, head, Duration.ZERO)).isTrue();
		assertThat(progress.lag(Accounts.PROJECTOR)).isEqualTo(ProjectorLag.NONE);
		assertThat(this.world.count("select count(*) from eventing.applied_events('accounts')")).isEqualTo(50);
	}

	@Test
	void runsInTheAppendsOfNodesThatDoNotOwnIt() {
		startInline(this.accounts);
		AnnotationConfigApplicationContext other = standby(new Inline());
		append(other, "a", 1, 10);
		assertThat(version("a")).isEqualTo(10);
		assertThat(this.ledger.hasSkips()).isFalse();
	}

	@Test
	void runsWithoutAnOwner() {
		startInline(this.accounts);
		AnnotationConfigApplicationContext other = standby(new Inline());
		other.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR);
		append(other, "a", 1, 10);
		assertThat(version("a")).isEqualTo(10);
	}

	@Test
	void runsSeveralProjectorsInTheOrderOfTheirNames() {
		List<String> calls = new ArrayList<>();
		AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(new Second(calls), new First(calls), new Third(calls))
				.lease(Duration.ofSeconds(2)));
		await().until(
				() -> this.world.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 3);
		append(node, "a", 1, 1);
		append(node, "a", 2, 2);
		assertThat(calls).containsExactly("first 1", "second 1", "third 1", "first 2", "second 2", "third 2");
	}

	@Test
	void notesTheProjectorThatAnAppendLeavesOutThoughItRunsAnother() {
		List<String> calls = new ArrayList<>();
		AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(new First(calls), new Second(calls)).lease(Duration.ofSeconds(2)));
		await().until(
				() -> this.world.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 2);
		node.getBean(ProjectorRegistry.class).stop("first");
		this.world.jdbc()
			.update("update eventing.projection_inline set demoted = true where projection_name = 'first'");
		append(node, "a", 1, 1);
		assertThat(calls).containsExactly("second 1");
		assertThat(
				this.world.jdbc().queryForList("select projection_name from eventing.projection_skips", String.class))
			.containsExactly("first");
	}

	@Test
	void refusesAppendsWhoseSnapshotMayBeOld() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		assertThatExceptionOfType(WrongTransactionException.class)
			.isThrownBy(() -> in(node, TransactionDefinition.ISOLATION_REPEATABLE_READ, (store) -> {
				append(store, "a", 1);
				return true;
			}))
			.withMessageContaining("Consider read committed");
		assertThat(this.world.count("select count(*) from eventing.events")).isZero();
		assertThatExceptionOfType(SQLException.class).isThrownBy(this::insertAtRepeatableRead)
			.withMessageContaining("are refused while the trigger eventing_inline is on the events");
	}

	private void insertAtRepeatableRead() throws SQLException {
		try (Connection connection = open()) {
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			connection.createStatement().execute(insertion("a", 1));
		}
	}

	@Test
	void isSkippedAtOnceByAppendsWhileItIsDemoted() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		this.accounts.refused.add("b");
		assertThatExceptionOfType(InlineProjectionException.class).isThrownBy(() -> append(node, "b", 1, 1));
		assertThat(this.inline.demote(Accounts.PROJECTOR, "anna", "it stops orders")).isTrue();
		append(node, "b", 1, 1);
		append(node, "a", 1, 5);
		await().until(() -> version("a") == 5);
		await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
		assertThat(inlineStatus()).isEqualTo(InlineStatus.DEMOTED);
		this.accounts.refused.clear();
		this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
		assertThat(this.inline.promote(Accounts.PROJECTOR, "anna", null)).isTrue();
		awaitStatus(InlineStatus.INLINE);
		append(node, "a", 6, 6);
		append(node, "b", 2, 2);
		assertThatTheReadModelHasAllEvents();
		assertThat(this.projectors.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
			.contains(ProjectionAction.DEMOTED, ProjectionAction.FOLLOWING, ProjectionAction.PROMOTED)
			.endsWith(ProjectionAction.INLINE);
	}

	@Test
	void doesNotTurnWhileALetterOfItsIsOpen() {
		this.accounts.refused.add("b");
		this.world.append(World.ACME, "b", 1, 1);
		AnnotationConfigApplicationContext node = start(this.accounts);
		await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
		await().until(() -> World.status(node, Accounts.PROJECTOR).detail().contains("1 open dead letters"));
		assertThat(inlineStatus()).isEqualTo(InlineStatus.FOLLOWING);
		append(node, "b", 2, 2);
		assertThat(version("b")).isZero();
	}

	@Test
	void knowsWhichProjectorsCanBeDemoted() {
		startInline(this.accounts);
		assertThat(this.inline.find("unknown")).isEmpty();
		assertThatExceptionOfType(UnknownNameException.class)
			.isThrownBy(() -> this.inline.demote("unknown", "anna", "a test"))
			.withMessageContaining("[accounts]");
		assertThat(this.inline.promote(Accounts.PROJECTOR, "anna", null)).isFalse();
	}

	@Test
	void refusesHandlersThatAppend() {
		Appending appending = new Appending();
		AnnotationConfigApplicationContext node = this.world
			.start(WorldApplication.of(appending).lease(Duration.ofSeconds(2)));
		await().until(
				() -> this.world.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 1);
		assertThatExceptionOfType(InlineProjectionException.class).isThrownBy(() -> append(node, "a", 1, 1))
			.withCauseInstanceOf(AppendInListenerException.class);
	}

	@Test
	void isFilledAnewInPlaceAndIsInlineAgain() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 10);
		this.world.jdbc().update("update account set total = 0");
		this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Duration.ofMinutes(1));
		await().until(() -> this.operators.generations(Accounts.PROJECTOR).size() == 2);
		append(node, "a", 11, 12);
		awaitStatus(InlineStatus.INLINE);
		append(node, "a", 13, 13);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void goesOnAsAProjectorThatReadsTheEventStore() {
		AnnotationConfigApplicationContext node = startInline(this.accounts);
		append(node, "a", 1, 10);
		node.close();
		AnnotationConfigApplicationContext other = start(new RebuildSetup.Stored());
		append(other, "a", 11, 12);
		await().until(() -> version("a") == 12);
		assertThatTheReadModelHasAllEvents();
	}

	@Test
	void isSkippedByAppendsWhileItFollows() {
		this.accounts.wait = new CountDownLatch(1);
		this.world.append(World.ACME, "a", 1, 1);
		AnnotationConfigApplicationContext node = start(this.accounts);
		await().until(() -> this.ledger.find().isPresent());
		append(node, "b", 1, 3);
		assertThat(inlineStatus()).isEqualTo(InlineStatus.FOLLOWING);
		this.accounts.wait.countDown();
		awaitStatus(InlineStatus.INLINE);
		assertThatTheReadModelHasAllEvents();
	}

	/** Says that it was called. */
	abstract static class Calling {

		private final String name;

		private final List<String> calls;

		Calling(String name, List<String> calls) {
			this.name = name;
			this.calls = calls;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.calls.add(this.name + " " + event.version());
		}

	}

	@Projector("first")
	static class First extends Calling {

		First(List<String> calls) {
			super("first", calls);
		}

	}

	@Projector("second")
	static class Second extends Calling {

		Second(List<String> calls) {
			super("second", calls);
		}

	}

	@Projector("third")
	static class Third extends Calling {

		Third(List<String> calls) {
			super("third", calls);
		}

	}

	/** Meets a deadlock, in words of JDBC. */
	@Projector("unlucky")
	static class Unlucky {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE)
		public void on(Deposited event, UUID eventId, String tenantId) throws SQLException {
			throw new SQLException("deadlock detected", "40P01");
		}

	}

	/** Goes on after an error of the database. */
	@Projector("careless")
	static class Careless {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			try {
				this.jdbc.execute("select 1 / 0");
			}
			catch (DataAccessException ex) {
				// as if that were all
			}
		}

	}

	@Projector("appending")
	static class Appending {

		@Autowired
		private ObjectProvider<EventStore> store;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.store.getObject().append(World.ACME, "other", ExpectedVersion.any(), NewEvent.of(event));
		}

	}

	record Renamed(String name) {
	}

}
