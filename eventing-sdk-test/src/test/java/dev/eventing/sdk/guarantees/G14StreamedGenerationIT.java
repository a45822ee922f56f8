package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.reconcile.GenerationComparison;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G14 for a generation that is fed from a stream to which a relay of the same database
 * publishes: before a switch it is compared with the events that it has applied, and with
 * the live generation.
 */
class G14StreamedGenerationIT extends ReconciliationSetup {

	private static final int RUNS = 20;

	private static final int WRITERS = 2;

	/** Of an account. A dead letter parks the later ones. */
	private static final int EVENTS = 10;

	private final Generations generations = new Generations(this.world, "totals");

	@Test
	void findsNothingInASoundOneWhileEventsFlowAndSwitchesToIt() throws Exception {
		Streamed totals = new Streamed();
		totals.refusesOneOf = 200;
		totals.refusesAgain = true;
		CountDownLatch over = new CountDownLatch(1);
		List<Thread> writers = new ArrayList<>();
		try (AnnotationConfigApplicationContext application = relaying(totals)) {
			for (int writer = 0; writer < WRITERS; writer++) {
				String name = "w" + writer + "-";
				writers.add(new Thread(() -> appendUntil(over, name)));
			}
			writers.forEach(Thread::start);
			await().until(() -> this.world.count("select count(*) from totals") > 10);
			assertThat(this.generations.build()).isEqualTo(2);
			Set<Long> positions = new HashSet<>();
			for (int run = 0; run < RUNS || positions.size() < 3; run++) {
				Answer answer = answer(beside(application));
				assertThat(answer.sample()).isEmpty();
				assertThat(answer.differences()).isZero();
				positions.add(answer.position());
			}
			await().until(() -> this.world
				.count("select count(*) from eventing.dead_letters where projector_name = 'totals#2'") > 0);
			assertThat(answer(beside(application)).differences()).isZero();
			this.generations.switchTo(2);
			assertThat(results().get(0).run().generation()).as("the check before the switch").isEqualTo(2);
			assertThat(answer(results().get(0)).differences()).isZero();
		}
		finally {
			over.countDown();
			for (Thread writer : writers) {
				writer.join();
			}
		}
	}

	@Test
	void refusesASwitchWhereARowIsChangedOrMissing() {
		appendAll(5);
		try (AnnotationConfigApplicationContext application = relaying(new Streamed())) {
			build();
			assertThat(answer(beside(application)).differences()).isZero();
			this.world.jdbc().update("update totals_g2.totals set total = total + 1 where account = 'a0'");
			this.world.jdbc().update("delete from totals_g2.totals where account = 'a1'");
			assertThat(answer(beside(application)).sample()).hasSize(2)
				.anySatisfy((row) -> assertThat(row).contains("a0", "\"expected\": 15", "\"found\": 16"))
				.anySatisfy((row) -> assertThat(row).contains("a1", "\"found\": null"));
			this.generations.requestSwitch(2);
			this.generations.awaitEnd();
			assertThat(this.generations.status()).isEqualTo(Status.FAILED);
			assertThat(this.generations.detail())
				.startsWith("Check 'sums' finds 2 differences in generation 2 at position ");
			assertThat(this.generations.live()).isEqualTo(1);
			await().until(() -> run(application, "sums").answer() != null);
			assertThat(answer(run(application, "sums")).differences()).isZero();
		}
	}

	@Test
	void findsAnEventWhoseClaimIsMissing() {
		appendAll(5);
		try (AnnotationConfigApplicationContext application = relaying(new Streamed())) {
			build();
			assertThat(this.world.jdbc().update("""
					delete from eventing.projection_claims
					 where generation = 2
					   and event_id = (select event_id from eventing.events
					                    where payload->>'account' = 'a1' and stream_version = 5)""")).isEqualTo(1);
			assertThat(answer(beside(application)).sample()).singleElement()
				.asString()
				.contains("a1", "\"expected\": 10", "\"found\": 15");
		}
	}

	@Test
	void hasNoAnswerBeforeARelayHasPublishedToTheStream() {
		this.world.publish(World.ACME, "a0", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new Streamed(), new G11GateIT.Sums())) {
			awaitApplied("a0", 3);
			this.generations.build();
			assertThat(beside(application).error()).startsWith("Generation 2 of projector 'totals' is fed from stream '"
					+ this.world.stream() + "', to which no relay of this event store has published.");
			this.generations.requestSwitch(2);
			this.generations.awaitEnd();
			assertThat(this.generations.detail()).startsWith("Check 'sums' has no answer for generation 2");
		}
	}

	@Test
	void isComparedWithTheLiveOneAtRest() {
		appendAll(5);
		try (AnnotationConfigApplicationContext application = relaying(new Streamed())) {
			build();
			Answer equal = answer(diff(application).result());
			assertThat(equal.differences()).isZero();
			assertThat(equal.position()).isEqualTo(head());
			this.world.jdbc().update("update totals set total = -1 where account = 'a0'");
			this.world.jdbc().update("delete from totals_g2.totals where account = 'a1'");
			assertThat(answer(diff(application).result()).sample()).hasSize(2)
				.anySatisfy((row) -> assertThat(row).contains("\"a0\"", "\"different\"", "[\"total\"]"))
				.anySatisfy((row) -> assertThat(row).contains("\"a1\"", "only in the live generation"));
		}
		this.world.jdbc().update("update eventing.projector_positions set store_position = store_position - 1");
		assertThat(offline().result().error()).as("an event after the position is applied")
			.startsWith("The generations have not settled the same events:");
		this.world.jdbc()
			.update("update eventing.projector_positions set store_position = store_position + 1, floor = floor + 1");
		assertThat(offline().result().error()).as("the live one has settled more of the stream")
			.startsWith("The generations have not settled the same events:");
		this.world.jdbc().update("update eventing.projector_positions set floor = floor - 1");
		assertThat(answer(offline().result()).differences()).isEqualTo(2);
	}

	@Test
	void isComparedAsTheFormerOneToo() {
		appendAll(5);
		try (AnnotationConfigApplicationContext application = relaying(new Streamed())) {
			build();
			this.generations.switchTo(2);
			this.world.append(World.ACME, "a2", 1, 3);
			awaitApplied("a2", 3);
			GenerationDiff diff = diff(application);
			assertThat(answer(diff.result()).differences()).isZero();
			assertThat(diff.result().run().generation()).isEqualTo(1);
			assertThat(diff.tables().get(0).otherRows()).isEqualTo(3);
		}
	}

	private AnnotationConfigApplicationContext relaying(Streamed totals) {
		return this.world.start(WorldApplication.of(totals, new G11GateIT.Sums())
			.lease(Duration.ofSeconds(2))
			.customize((context) -> context.registerBean(RelayOptions.class,
					() -> RelayOptions.named("accounts").withSubjects(this.world.root() + ".{tenant}.deposited"))));
	}

	/** Both generations have what was appended so far. */
	private void build() {
		awaitApplied("a0", 5);
		awaitApplied("a1", 5);
		assertThat(this.generations.build()).isEqualTo(2);
		await().until(() -> this.world.count("select sum(events) from totals_g2.totals") == 10);
	}

	private ReconciliationResult beside(AnnotationConfigApplicationContext application) {
		return application.getBean(Reconciliations.class).runBeside("sums", 2, "test");
	}

	private static GenerationDiff diff(AnnotationConfigApplicationContext application) {
		return application.getBean(Reconciliations.class).diff("totals", "test", Patience.LONG);
	}

	private GenerationDiff offline() {
		return new GenerationComparison(this.world.jdbc().getDataSource(), EventingSchema.defaults(), ledger(),
				Patience.LONG)
			.run("totals", "test", Duration.ofMillis(200), (progress) -> {
			});
	}

	/** The newest first. */
	private List<ReconciliationResult> results() {
		return ledger().results("totals");
	}

	private CheckLedger ledger() {
		return new CheckLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults());
	}

	private long head() {
		return this.world.count("select max(global_position) from eventing.events");
	}

	private void appendUntil(CountDownLatch over, String writer) {
		try {
			for (int event = 0; !over.await(10, TimeUnit.MILLISECONDS); event++) {
				long version = event % EVENTS + 1L;
				this.world.append(World.ACME, writer + event / EVENTS, version, version);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Projector(value = "totals", tables = "totals")
	static class Streamed extends ReconciliationSetup.Model {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 2, batchSize = 20,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, eventId);
		}

	}

}
