package dev.eventing.sdk.guarantees;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ReadModelRebuildingException;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G10: a rebuild in place ends with the read model that a fresh projector would build
 * from all events.
 */
class G10RebuildInPlaceIT extends RebuildSetup {

	@Test
	void fillsTheReadModelFromAllEventsWhileOthersAreAppended() {
		appendAll(1, 30);
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(30);
			this.world.jdbc().update("update account set total = -1");
			ProjectionRequest request = rebuild();
			assertThat(request.state().status()).isEqualTo(Status.PENDING);
			appendAll(31, 60);
			awaitRebuilt(2);
			awaitVersions(60);
			assertThatTheReadModelIsExact(60);
			ProjectionRequest done = this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow();
			assertThat(done.state().status()).isEqualTo(Status.DONE);
			assertThat(done.state().detail()).startsWith("Generation 2 is filled from all events up to position ");
			await().until(() -> state(application) == ProjectorState.RUNNING);
			assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(60L * NAMES);
			assertThat(new JdbcProjectors(this.world.jdbc().getDataSource(), EventingSchema.defaults())
				.audit(Accounts.PROJECTOR)).extracting(ProjectionAuditEntry::action)
				.containsExactly(ProjectionAction.REBUILD_REQUESTED, ProjectionAction.REBUILD_BEGUN,
						ProjectionAction.REBUILT);
			rebuild();
			awaitRebuilt(3);
			assertThatTheReadModelIsExact(60);
			assertThat(this.operators.generations(Accounts.PROJECTOR)).extracting(ProjectionGeneration::status)
				.containsExactly(ProjectionGeneration.Status.LIVE, ProjectionGeneration.Status.RETIRED,
						ProjectionGeneration.Status.RETIRED);
		}
	}

	@Test
	void saysThatItIsFillingAndLetsNobodyWaitForAPosition() throws InterruptedException {
		appendAll(1, 5);
		CountDownLatch free = new CountDownLatch(1);
		Stored accounts = new Stored();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(5);
			long position = this.world.count("select max(global_position) from eventing.events");
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			assertThat(progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG)).isTrue();
			accounts.wait = free;
			rebuild();
			await().until(() -> state(application) == ProjectorState.REBUILDING);
			assertThatExceptionOfType(ReadModelRebuildingException.class)
				.isThrownBy(() -> progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG));
			assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(this::rebuild)
				.withMessageContaining("is being filled");
			await().until(() -> this.world
				.count("select count(*) from eventing.projector_overview where role = 'filling' and generation = 2"
						+ " and status = 'REBUILDING' and behind_events > 0") == 1);
			free.countDown();
			awaitRebuilt(2);
			await().until(() -> progress.awaitPosition(Accounts.PROJECTOR, position, Patience.LONG));
			assertThatTheReadModelIsExact(5);
		}
	}

	/**
	 * A version that handles something else does not continue with what another began.
	 */
	@Test
	void beginsAgainWithCodeThatHandlesSomethingElse() {
		appendAll(1, 10);
		Stored first = new Stored();
		try (AnnotationConfigApplicationContext application = start(first)) {
			awaitVersions(10);
			first.unavailable.add("a2");
			rebuild();
			await().until(() -> this.world.version(World.ACME, "a1") == 10
					&& state(application) == ProjectorState.REBUILDING);
		}
		try (AnnotationConfigApplicationContext application = start(new Wider())) {
			awaitRebuilt(2);
			assertThatTheReadModelIsExact(10);
			assertThat(this.operators.generations(Accounts.PROJECTOR)).hasSize(2);
			assertThat(this.world.count(
					"select count(*) from eventing.projection_audit where action = 'REBUILD_BEGUN_AGAIN' and generation = 2"))
				.isEqualTo(1);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** A handler that an earlier version had comes back. */
	@Test
	void letsALaterVersionHandleWhatTheRebuiltOneDidNot() {
		appendAll(1, 5);
		start(new Stored()).close();
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(5);
		}
		try (AnnotationConfigApplicationContext application = start(new Elsewhere())) {
			rebuild();
			awaitRebuilt(2);
			assertThat(this.world.count("select count(*) from account")).isZero();
		}
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(5);
			assertThatTheReadModelIsExact(5);
		}
	}

	/** The first commit succeeds, and what comes after it fails: the batch is halved. */
	@Test
	void appliesNothingTwiceWhenAFailureComesAfterTheCommit() {
		appendAll(1, 20);
		Stored accounts = new Stored();
		try (AnnotationConfigApplicationContext application = start(accounts)) {
			awaitVersions(20);
			accounts.failAfterCommit = true;
			rebuild();
			awaitRebuilt(2);
			assertThatTheReadModelIsExact(20);
			assertThat(openLetters()).isZero();
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	/** As by an append that was rolled back. */
	@Test
	void rebuildsWhereTheLastPositionsWereDrawnForNothing() {
		appendAll(1, 3);
		drawForNothing();
		try (AnnotationConfigApplicationContext application = start(new Stored())) {
			awaitVersions(3);
			rebuild();
			awaitRebuilt(2);
			drawForNothing();
			rebuild();
			awaitRebuilt(3);
			assertThatTheReadModelIsExact(3);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	private void drawForNothing() {
		this.world.count("select nextval(pg_get_serial_sequence('eventing.events', 'global_position'))");
	}

	@Projector(value = Accounts.PROJECTOR, tables = "public.account")
	static class Wider extends Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 2)
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
