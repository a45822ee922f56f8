package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * G14: a reconciliation compares at one point in time. It finds no difference on a sound
 * system under full load, and every difference on an unsound one.
 */
class G14ReconciliationIT extends ReconciliationSetup {

	@Test
	void findsARowThatWasChangedByHandAndOneThatIsMissing() {
		try (AnnotationConfigApplicationContext application = start(new Totals(), new Checks())) {
			appendAll(5);
			awaitApplied("a0", 5);
			awaitApplied("a1", 5);
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.jdbc().update("update totals set total = total + 1 where account = 'a0'");
			this.world.jdbc().update("delete from totals where account = 'a1'");
			this.world.jdbc().update("insert into totals values ('nobody', 1, 1)");
			Answer answer = answer(run(application, "totals"));
			assertThat(answer.position()).isEqualTo(this.world.checkpoint("totals"));
			assertThat(answer.differences()).isEqualTo(3);
			assertThat(answer.sample()).hasSize(3)
				.anySatisfy(
						(row) -> assertThat(row).contains("\"account\": \"a0\"", "\"expected\": 15", "\"found\": 16"))
				.anySatisfy(
						(row) -> assertThat(row).contains("\"account\": \"a1\"", "\"expected\": 15", "\"found\": null"))
				.anySatisfy((row) -> assertThat(row).contains("\"account\": \"nobody\"", "\"expected\": null"));
			ReconciliationResult stored = application.getBean(Reconciliations.class).last("totals").orElseThrow();
			assertThat(stored.answer()).isEqualTo(answer);
			assertThat(stored.run().actor()).isEqualTo("test");
			assertThat(application.getBean(Reconciliations.class).results("totals")).hasSize(2)
				.first()
				.isEqualTo(stored);
		}
	}

	/** While an earlier event holds the checkpoint, claims say what is applied. */
	@Test
	void findsAnEventWhoseClaimIsMissingAndAClaimWithoutItsEvent() {
		Totals totals = new Totals();
		CountDownLatch free = totals.hold("a0");
		try (AnnotationConfigApplicationContext application = start(totals, new Checks())) {
			this.world.append(World.ACME, "a0", 1, 1);
			await().until(() -> totals.waiting.contains("a0"));
			this.world.append(World.ACME, "a0", 2, 2);
			for (int account = 1; account < 10; account++) {
				this.world.append(World.ACME, "a" + account, 1, 1);
			}
			String applied = await()
				.until(() -> this.world.jdbc().queryForList("select account from totals limit 1", String.class),
						(accounts) -> !accounts.isEmpty())
				.get(0);
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.jdbc().update("""
					delete from eventing.processed_events p using eventing.events e
					 where p.event_id = e.event_id and e.payload->>'account' = ?""", applied);
			Answer claimless = answer(run(application, "totals"));
			assertThat(claimless.differences()).isEqualTo(1);
			assertThat(claimless.sample()).first().asString().contains("\"account\": \"" + applied + "\"");
			this.world.jdbc().update("""
					insert into eventing.processed_events (projector_name, event_id, tenant_id)
					select 'totals', event_id, tenant_id from eventing.events
					 where payload->>'account' = ? or payload->>'account' = 'a0' and stream_version = 2""", applied);
			Answer eventless = answer(run(application, "totals"));
			assertThat(eventless.differences()).isEqualTo(1);
			assertThat(eventless.sample()).first().asString().contains("\"account\": \"a0\"", "\"found\": null");
			free.countDown();
		}
	}

	@Test
	void findsADiscardedEventThatIsInTheReadModel() {
		Totals totals = new Totals();
		totals.refusesOneOf = 1;
		try (AnnotationConfigApplicationContext application = start(totals, new Checks())) {
			this.world.append(World.ACME, "a0", 1, 1);
			await().until(() -> this.world.count(OPEN) == 1);
			awaitSettled();
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.operators().discard(DeadLetterFilter.ALL.withProjector("totals"), "anna", "a test");
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.jdbc().update("insert into totals values ('a0', 1, 1)");
			assertThat(answer(run(application, "totals")).sample()).singleElement().asString().contains("a0");
		}
	}

	@Test
	void leavesOutEventsBeforeTheBeginningOfAProjectorOfNewOnes() {
		appendAll(3);
		try (AnnotationConfigApplicationContext application = start(new NewOnes(), new Checks())) {
			await().until(() -> this.world.checkpoint("totals") > 0);
			assertThat(answer(run(application, "totals")).differences()).isZero();
			this.world.append(World.ACME, "a0", 4, 5);
			awaitApplied("a0", 2);
			assertThat(answer(run(application, "totals")).differences()).isZero();
			application.getBean(Projections.class).rebuildInPlace("totals", "anna", "a test", Patience.LONG);
			awaitApplied("a0", 5);
			await().until(() -> run(application, "totals").answer() != null);
			assertThat(answer(run(application, "totals")).differences()).isZero();
		}
	}

	@Test
	void hasNoAnswerWhileTheReadModelIsBeingFilled() {
		Totals totals = new Totals();
		try (AnnotationConfigApplicationContext application = start(totals, new Checks())) {
			appendAll(2);
			awaitApplied("a0", 2);
			CountDownLatch free = totals.hold("a0");
			application.getBean(Projections.class).rebuildInPlace("totals", "anna", "a test", Patience.LONG);
			await().until(
					() -> this.world.count("select count(*) from eventing.projections where status = 'FILLING'") == 1);
			ReconciliationResult filling = run(application, "totals");
			assertThat(filling.error()).contains("The read model of projector 'totals' is being filled from events");
			assertThat(filling.answer()).isNull();
			free.countDown();
			await().until(() -> run(application, "totals").answer() != null);
			assertThat(answer(run(application, "totals")).differences()).isZero();
		}
	}

	@Test
	void hasNoAnswerWhereThereCanBeNone() {
		try (AnnotationConfigApplicationContext application = start(new Totals(), new Checks(), new Streamed())) {
			assertThat(run(application, "streamed").error())
				.contains("Projector 'streamed' has no position in the event store", "source = EVENT_STORE");
			awaitSettled();
			assertThat(run(application, "broken").error()).contains("no_such_table");
			assertThat(run(application, "writing").error()).isNotNull();
			this.world.jdbc()
				.update("""
						insert into eventing.projector_coverage (projector_name, stream, kind, name, catching_up, settled_to)
						values ('totals', 'event-store', 'TYPE', 'x y', true, 5)""");
			assertThat(run(application, "totals").error()).contains("reads earlier events of new handlers again");
			assertThatIllegalArgumentException()
				.isThrownBy(() -> application.getBean(Reconciliations.class).run("totals", " "));
		}
	}

	@Test
	void keepsTheFirstTenDifferencesWithTheirValuesCutAndTheLastHundredRuns() {
		try (AnnotationConfigApplicationContext application = start(new Totals(), new Checks())) {
			await().until(() -> this.world.count("select count(*) from eventing.projector_checkpoints") == 1);
			Answer many = answer(run(application, "many"));
			assertThat(many.differences()).isEqualTo(25);
			assertThat(many.sample()).hasSize(10).allSatisfy((row) -> assertThat(row).hasSizeLessThan(300));
			for (int run = 0; run < 105; run++) {
				run(application, "many");
			}
			assertThat(this.world.count("select count(*) from eventing.projection_checks")).isEqualTo(100);
		}
	}

	@Test
	void doesNotHoldUpTheProjector() throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (AnnotationConfigApplicationContext application = start(new Totals(), new Checks())) {
			appendAll(1);
			awaitApplied("a0", 1);
			List<Future<ReconciliationResult>> slow = new ArrayList<>();
			Duration[] held = { Duration.ZERO };
			this.parking.whileItWaits(() -> slow.add(thread.submit(() -> run(application, "slow"))), () -> {
				long begin = System.nanoTime();
				this.world.append(World.ACME, "a0", 2, 101);
				awaitApplied("a0", 101);
				held[0] = Duration.ofNanos(System.nanoTime() - begin);
			});
			ReconciliationResult result = slow.get(0).get();
			assertThat(answer(result).differences()).as("what was applied meanwhile").isZero();
			assertThat(result.run().duration()).isGreaterThan(held[0]);
		}
		finally {
			thread.shutdown();
		}
	}

	@Projector(value = "totals", tables = "totals")
	static class NewOnes extends Model {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE,
				deliverPolicy = DeliverPolicy.NEW)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, eventId);
		}

	}

	@Projector("streamed")
	static class Streamed {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
		}

	}

}
