package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** G18: what a backfill cannot do it refuses by name, and nothing is changed. */
class G18RefusedBackfillIT extends BackfillSetup {

	private static final BackfillOptions NOTES = BackfillOptions.ofTypes(List.of(NOTED));

	@Test
	void refusesTypesAndHandlersThatTheCodeDoesNotHave() {
		appendBoth(1, 2);
		applyWithFormer();
		Next accounts = new Next();
		accounts.refused.add("note z 1");
		try (AnnotationConfigApplicationContext application = startNext(accounts)) {
			note("z", 1);
			await().until(this::isAtHead);
			assertThat(failed(NOTES)).startsWith("1 dead letters of these types are open.");
			assertThat(failed(BackfillOptions.ofTypes(List.of("unheard"))))
				.isEqualTo("No handler takes events of type 'unheard'. Its handlers take Deposited, noted.");
			assertThat(failed(BackfillOptions.ofHandler("other"))).startsWith("It has no handler 'other'. Consider ")
				.contains("Next.note(");
			assertThat(failed(new BackfillOptions(NOTES.types(), "tally", null, null)))
				.contains("No handler takes events of type 'noted' but others than 'tally'");
			this.world.jdbc().update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now()");
			this.world.jdbc().update("""
					insert into eventing.projector_prunings (projector_name, pruned_before, retention)
					values (?, now() + interval '1 hour', interval '1 day')""", Accounts.PROJECTOR);
			assertThat(failed(NOTES)).contains("are pruned", "Consider naming the handler");
			assertThat(this.world.count("select count(*) from noted")).isZero();
			assertThat(this.world.count("select count(*) from eventing.projection_backfills")).isZero();
		}
	}

	private String failed(BackfillOptions options) {
		ProjectionRequest request = backfill(options);
		await().until(() -> find(request).state().status() == Status.FAILED);
		return String.valueOf(find(request).state().detail());
	}

	@Test
	void looksWhatWouldComeOfItAndTakesNoOtherRequestMeanwhile() {
		appendBoth(1, 20);
		applyWithFormer();
		RequestPlan plan = this.operators.plan(Accounts.PROJECTOR, What.backfill(NOTES));
		assertThat(plan.notes()).containsExactly("140 events of type 'noted' are stored.");
		assertThat(plan.obstacles()).isEmpty();
		assertThat(this.operators.lastRequest(Accounts.PROJECTOR)).isEmpty();
		assertThatRefuses(NOTES.to(head() + 1)).withMessageContaining("is beyond the end of the event store");
		try (AnnotationConfigApplicationContext application = startNext(new Next())) {
			ProjectionRequest request = backfill(NOTES.rate(10));
			await().until(() -> find(request).state().status() == Status.RUNNING);
			assertThatRefuses(NOTES).withMessageContaining("has a request that waits");
			assertThatExceptionOfType(RequestRefusedException.class)
				.isThrownBy(() -> this.operators.rebuildInPlace(Accounts.PROJECTOR, "anna", REASON, Patience.LONG));
			assertThat(this.operators.plan(Accounts.PROJECTOR, What.backfill(NOTES)).obstacles())
				.containsExactly("Projector 'accounts' has a request that waits.");
			this.world.jdbc().update("update eventing.projection_requests set expires_at = now() - interval '1 hour'");
			assertThat(find(request).state().status()).as("it does not expire any more").isEqualTo(Status.RUNNING);
			this.operators.cancel(Accounts.PROJECTOR, "anna", REASON);
			assertThat(find(request).state().status()).isEqualTo(Status.CANCELLED);
		}
	}

	@Test
	void refusesAGenerationBesideTheLiveOne() {
		appendBoth(1, 2);
		applyWithFormer();
		this.world.jdbc().update("""
				insert into eventing.projections (projection_name, generation, status, definition, version)
				values (?, 2, 'FAILED', '', 1)""", Accounts.PROJECTOR);
		assertThatRefuses(NOTES).withMessage("Generation 2 of 'accounts' is FAILED. Retire it first.");
	}

	@Test
	void refusesAProjectorThatReadsAStream() {
		this.world.publish(World.ACME, "a", 1, 3);
		try (AnnotationConfigApplicationContext application = this.world.start(application(new Streamed()))) {
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			World.savePlace(application);
			assertThatRefuses(BackfillOptions.ofHandler("on"))
				.withMessageContaining("reads a stream of JetStream, and a backfill reads the event store");
		}
	}

	@Test
	void refusesAnInlineProjector() {
		appendBoth(1, 2);
		applyWithFormer();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Next()).with(ProjectorSettings.builder().source(Source.INLINE).build()))) {
			await().until(() -> this.world
				.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 1);
			assertThatRefuses(NOTES).withMessageContaining("is inline");
		}
	}

	private ThrowableAssertAlternative<RequestRefusedException> assertThatRefuses(BackfillOptions options) {
		return assertThatExceptionOfType(RequestRefusedException.class).isThrownBy(() -> backfill(options));
	}

	/** Reads a stream. */
	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Streamed {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
