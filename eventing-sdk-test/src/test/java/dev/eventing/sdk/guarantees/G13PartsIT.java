package dev.eventing.sdk.guarantees;

import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.annotation.ReadModelRows;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13: what is applied again in the live read model has no effects, but those of dead
 * letters.
 */
class G13PartsIT extends EffectSetup {

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void areNoneInABackfill() {
		append("a1", 1, 3);
		try (AnnotationConfigApplicationContext former = start(new G13EffectsIT.WithoutEffects())) {
			awaitVersion("public", "a1", 3);
		}
		First next = new First();
		try (AnnotationConfigApplicationContext application = start(next)) {
			awaitDone(this.operators.backfill(LIVE, BackfillOptions.ofHandler("on"), "anna", "a test", Patience.LONG));
			assertThat(next.modes).containsExactly(HandlerMode.BACKFILL);
			assertThat(notices("a1")).isZero();
			append("a1", 4, 4);
			awaitNotices("a1", 2);
			assertThat(next.modes).containsExactlyInAnyOrder(HandlerMode.BACKFILL, HandlerMode.LIVE);
		}
	}

	@Test
	void ofARebuiltPartAreThoseOfItsLetters() {
		append("a1", 1, 2);
		try (AnnotationConfigApplicationContext former = start(new G13EffectsIT.WithoutEffects())) {
			awaitVersion("public", "a1", 2);
		}
		Owned next = new Owned();
		next.refused.add("a1");
		append("a1", 3, 4);
		try (AnnotationConfigApplicationContext application = start(next)) {
			awaitOpen(LIVE, 2);
			next.refused.clear();
			awaitDone(this.operators.rebuildScope(LIVE,
					new ScopedRebuild(new RebuildScope.Streams(World.ACME,
							Set.of(String.valueOf(this.world.storedStream("a1"))))),
					new By("anna", "a test"), Patience.LONG));
			awaitVersion("public", "a1", 4);
			assertThat(open(LIVE)).isZero();
			assertThat(next.modes).contains(HandlerMode.BUILD);
			assertThat(this.world.jdbc().queryForList("""
					select payload->>'version' || '.' || (payload->>'n') from eventing.events
					 where event_type = 'Noticed' order by 1""", String.class)).containsExactly("3.1", "3.2", "4.1",
					"4.2");
		}
	}

	private void awaitDone(ProjectionRequest request) {
		await().untilAsserted(() -> {
			ProjectionRequest.State state = this.operators.request(request.id()).orElseThrow().state();
			assertThat(state.status()).as(String.valueOf(state.detail())).isEqualTo(Status.DONE);
		});
	}

	/** Declares what its rows are made of. */
	@Projector(value = Accounts.PROJECTOR, tables = "account",
			rows = @ReadModelRows(streamColumn = "account", streamPrefix = "${root}-"))
	static class Owned extends Noticing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3,
				noRetryFor = IllegalArgumentException.class)
		public void on(Deposited event, UUID eventId, String tenantId, Effects effects, HandlerMode mode) {
			apply(event, tenantId, effects, mode);
		}

	}

}
