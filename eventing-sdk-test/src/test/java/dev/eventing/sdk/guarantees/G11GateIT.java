package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.GenerationStatus;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: before a switch the checks of the projector compare the next generation with the
 * events that it has applied.
 */
class G11GateIT {

	private static final String OPEN = "select count(*) from eventing.dead_letters where status = 'PARKED'";

	@AutoClose
	private final World world = World.create();

	private final Parking parking = Parking.of(this.world);

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@BeforeEach
	void createReadModel() {
		this.world.jdbc()
			.execute("create table totals (account text primary key, events bigint not null, total bigint not null)");
	}

	@Test
	void refusesAGenerationThatIsNotWhatItsEventsSayUnlessThatIsAskedFor() {
		this.world.append(World.ACME, "a0", 1, 5);
		this.world.append(World.ACME, "a1", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new ReconciliationSetup.Totals())) {
			awaitEvents("public", "a1", 5);
			build();
			this.world.jdbc().update("update totals_g2.totals set total = total + 1 where account = 'a0'");
			this.operators.switchTo("totals", 2, "anna", "a test", Patience.LONG);
			await().until(() -> status() == Status.FAILED);
			assertThat(detail())
				.isEqualTo("Check 'none' has no answer for generation 2; 'eventing projection check totals' shows why."
						+ " Check 'sums' finds 1 difference in generation 2 at position 10."
						+ " Correct the handler or the check. A generation that is wrong is retired, and built again.");
			Reconciliations reconciliations = application.getBean(Reconciliations.class);
			assertThat(reconciliations.last("sums")).as("of the live generation").isEmpty();
			assertThat(ledger().lastOfEach("totals")).hasSize(2).allSatisfy((each) -> {
				assertThat(each.run().generation()).isEqualTo(2);
				assertThat(each.run().actor()).isEqualTo("anna");
			});
			assertThat(reconciliations.run("sums", "anna").hasDifferences()).isFalse();
			this.world.append(World.ACME, "a1", 6, 6);
			awaitEvents("public", "a1", 6);
			awaitEvents("totals_g2", "a1", 6);
			this.operators.switchUnchecked("totals", 2, "anna", "a test", Patience.LONG);
			await().until(() -> status() != Status.PENDING);
			assertThat(detail()).startsWith("Generation 2 is live from position 11 on.");
			ReconciliationResult live = reconciliations.run("sums", "anna");
			assertThat(live.run().generation()).isNull();
			assertThat(live.answer()).extracting(ReconciliationResult.Answer::differences).isEqualTo(1L);
			this.operators.switchTo("totals", 1, "anna", "a roll back is not checked", Patience.LONG);
			await().until(() -> status() != Status.PENDING);
			assertThat(detail()).startsWith("Generation 1 is live from position 11 on.");
		}
	}

	@Test
	void hasNoAnswerForAGenerationThatIsNotAtRest() {
		this.world.append(World.ACME, "a0", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new ReconciliationSetup.Totals(), new Sums())) {
			awaitEvents("public", "a0", 5);
			Reconciliations reconciliations = application.getBean(Reconciliations.class);
			assertThat(reconciliations.runBeside("sums", 2, "anna").error())
				.isEqualTo("Generation 2 of projector 'totals' is not ready beside the live one.");
			build();
			await().until(() -> reconciliations.runBeside("sums", 2, "anna").answer() != null);
			this.world.jdbc().update("update eventing.projection_lanes set position = position + 100 where lane = 0");
			assertThat(reconciliations.runBeside("sums", 2, "anna").error())
				.isEqualTo("Generation 2 of projector 'totals' is not at rest: a lane is ahead of its checkpoint.");
		}
	}

	/** The live one waits for what came meanwhile: that is to be little. */
	@Test
	void feedsTheGenerationBeforeTheSwitchIfTheChecksTookLong() {
		this.world.append(World.ACME, "a0", 1, 5);
		try (AnnotationConfigApplicationContext application = start(new ReconciliationSetup.Totals(), new Slow())) {
			awaitEvents("public", "a0", 5);
			build();
			this.parking.whileItWaits(() -> this.operators.switchTo("totals", 2, "anna", "a test", Patience.LONG),
					() -> {
						this.world.append(World.ACME, "a0", 6, 6);
						Steady.holds(Duration.ofSeconds(2), () -> status() == Status.PENDING);
					});
			await().until(() -> status() != Status.PENDING);
			assertThat(detail()).startsWith("Generation 2 is live from position 6 on.");
			assertThat(this.world.count("select hold_at from eventing.projection_requests where action = 'SWITCH'"))
				.isEqualTo(6);
			assertThat(ledger().results("totals")).hasSize(1);
		}
	}

	/** It has its own time limit. */
	@Test
	void takesALongCheckForNoStallOfTheGeneration() {
		this.world.append(World.ACME, "a0", 1, 5);
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new ReconciliationSetup.Totals(), new Slow())
				.lease(Duration.ofSeconds(2))
				.with(ProjectorSettings.builder().stalledAfter(Duration.ofMillis(500)).build()))) {
			awaitEvents("public", "a0", 5);
			build();
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			this.parking.whileItWaits(() -> this.operators.switchTo("totals", 2, "anna", "a test", Patience.LONG),
					() -> Steady.holds(Duration.ofSeconds(2), () -> {
						List<ProjectorState> now = registry.generations()
							.stream()
							.map(GenerationStatus::here)
							.filter(Objects::nonNull)
							.map(ProjectorStatus::state)
							.toList();
						return !now.isEmpty() && !now.contains(ProjectorState.STALLED) && status() == Status.PENDING;
					}));
			await().until(() -> status() != Status.PENDING);
			assertThat(detail()).startsWith("Generation 2 is live from position 5 on.");
		}
	}

	/** Some events are open letters, discarded or edited, and more come all the time. */
	@Test
	void letsASoundGenerationPassWhileEventsCome() throws Exception {
		ReconciliationSetup.Totals totals = new ReconciliationSetup.Totals();
		totals.refusesOneOf = 5;
		totals.refusesAgain = true;
		AtomicBoolean over = new AtomicBoolean();
		try (AnnotationConfigApplicationContext application = start(totals, new Sums())) {
			for (int account = 0; account < 10; account++) {
				this.world.append(World.ACME, "a" + account, 1, 20);
			}
			await().until(() -> this.world.count("select count(*) from eventing.projector_checkpoints") > 0
					&& this.world.checkpoint("totals") >= 200);
			totals.refusesOneOf = 0;
			treatLetters();
			build();
			Thread writer = new Thread(() -> {
				for (long version = 1; !over.get(); version++) {
					this.world.append(World.ACME, "w", version, version);
				}
			});
			writer.start();
			try {
				await().until(() -> this.world.count("select count(*) from totals_g2.totals where events > 20") > 0);
				this.operators.switchTo("totals", 2, "anna", "a test", Patience.LONG);
				await().until(() -> status() != Status.PENDING);
				assertThat(detail()).startsWith("Generation 2 is live from position ");
			}
			finally {
				over.set(true);
				writer.join();
			}
			assertThat(this.world.count(OPEN)).as("open letters").isPositive();
			assertThat(ledger().results("totals")).hasSize(1).first().satisfies((gate) -> {
				assertThat(gate.run().generation()).isEqualTo(2);
				assertThat(gate.hasDifferences()).isFalse();
			});
			assertThat(application.getBean(Reconciliations.class).run("sums", "anna").hasDifferences()).isFalse();
		}
	}

	private void treatLetters() {
		DeadLetterFilter all = DeadLetterFilter.ALL.withProjector("totals");
		List<DeadLetterSummary> letters = this.world.operators().find(all, null, 100).letters();
		assertThat(letters.stream().map(DeadLetterSummary::orderingKey).distinct()).hasSizeGreaterThan(2);
		DeadLetterSummary edited = letters.get(0);
		this.world.operators().edit(edited.letterId(), payload(edited.letterId()), "anna", "a wrong amount");
		DeadLetterFilter family = all.withOrderingKey(edited.orderingKey());
		this.world.operators().redrive(RedriveRequest.of(family, "anna"));
		await()
			.until(() -> this.world.count("select count(*) from eventing.dead_letters where edited_payload is not null"
					+ " and status = 'RESOLVED'") == 1);
		String other = letters.stream()
			.map(DeadLetterSummary::orderingKey)
			.filter((key) -> !key.equals(edited.orderingKey()))
			.findFirst()
			.orElseThrow();
		this.world.operators().discard(all.withOrderingKey(other), "anna", "a test");
		assertThat(this.world.count("select count(*) from eventing.dead_letters where status = 'DISCARDED'"))
			.isPositive();
	}

	private byte[] payload(UUID letterId) {
		DeadLetter letter = this.world.operators().get(letterId).orElseThrow();
		String text = new String(letter.event().payload(), StandardCharsets.UTF_8);
		return text.replaceFirst("\"amount\": ?\\d+", "\"amount\": 1000").getBytes(StandardCharsets.UTF_8);
	}

	private AnnotationConfigApplicationContext start(ReconciliationSetup.Totals totals) {
		return start(totals, new Broken());
	}

	private AnnotationConfigApplicationContext start(Object... beans) {
		return this.world.start(WorldApplication.of(beans).lease(Duration.ofSeconds(2)));
	}

	private void build() {
		this.operators.rebuildBeside("totals", "anna", "a test", Patience.LONG);
		await().until(() -> this.operators.generations("totals")
			.stream()
			.anyMatch((each) -> each.status() == ProjectionGeneration.Status.READY));
	}

	private Status status() {
		return this.operators.lastRequest("totals").orElseThrow().state().status();
	}

	private String detail() {
		return String.valueOf(this.operators.lastRequest("totals").orElseThrow().state().detail());
	}

	private CheckLedger ledger() {
		return new CheckLedger(this.world.jdbc().getDataSource(), EventingSchema.defaults());
	}

	private void awaitEvents(String schema, String account, long events) {
		await().until(() -> this.world.count("select count(*) from " + schema + ".totals where account = '" + account
				+ "' and events = " + events) == 1);
	}

	/** A check of the read model. */
	static class Sums {

		@Reconciliation(name = "sums", projector = "totals")
		String sums() {
			return ReconciliationSetup.Checks.TOTALS;
		}

	}

	/** It takes as long as the test wants. */
	static class Slow {

		@Reconciliation(name = "slow", projector = "totals")
		String slow() {
			return "with waited as materialized (select parked(" + Parking.CHECK + ")) select d.* from ("
					+ ReconciliationSetup.Checks.TOTALS
					+ ") d, waited union all select null, count(*), null from waited having count(*) <> 1";
		}

	}

	/** The same, and one that fails. */
	static class Broken extends Sums {

		@Reconciliation(name = "none", projector = "totals")
		String none() {
			return "select * from no_such_table";
		}

	}

}
