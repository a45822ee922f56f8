package dev.eventing.sdk.guarantees;

import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.projector.UnknownTypePolicy;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G18: a backfill applies no event again that the projector has applied in another way
 * than by a handler of its type in the live feed.
 */
class G18KnownEventsIT extends PrunedBackfillSetup {

	private static final BackfillOptions NOTES = BackfillOptions.ofTypes(List.of(NOTED));

	@Test
	void whoseLetterWasRedriven() {
		appendBoth(1, 1);
		try (AnnotationConfigApplicationContext former = this.world.start(WorldApplication.of(new Former())
			.with(ProjectorSettings.builder().unknownType(UnknownTypePolicy.DEAD_LETTER).build()))) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == NAMES);
			World.savePlace(former);
		}
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
			await().until(() -> this.world.count("select count(*) from noted") == NAMES);
			assertThatABackfillAppliesNoneAgain(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void thatAppendsHaveApplied() {
		deposit("a0", 1);
		try (AnnotationConfigApplicationContext inline = this.world
			.start(WorldApplication.of(new Next()).with(ProjectorSettings.builder().source(Source.INLINE).build()))) {
			await().until(() -> this.world
				.count("select count(*) from eventing.projection_inline where mode = 'INLINE'") == 1);
			for (int account = 0; account < NAMES; account++) {
				String name = "a" + account;
				InlineSetup.in(inline, -1, (store) -> store.append(World.ACME, this.world.storedStream(name),
						ExpectedVersion.any(), NewEvent.of(new Noted(name, 1))));
			}
			assertThatAllAreIn("noted", 1);
		}
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			await().until(this::isAtHead);
			assertThat(failed(NOTES.types().stream().toList()))
				.startsWith("The projector was inline: appends have applied");
			assertThatAllAreIn("noted", 1);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void thatAHandlerOfAnyTypeHasTaken() {
		appendBoth(1, 5);
		try (AnnotationConfigApplicationContext former = start(new Any())) {
			await().until(this::isAtHead);
			World.savePlace(former);
		}
		assertThatAllAreIn("noted", 5);
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			assertThatABackfillAppliesNoneAgain(5);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** The generation that became live has passed them by as the former one did. */
	@Test
	void isNoneOfThoseThatBothGenerationsPassedBy() {
		appendBoth(1, 5);
		try (AnnotationConfigApplicationContext former = start(new Former())) {
			await().until(this::isAtHead);
			Generations generations = new Generations(this.world, Accounts.PROJECTOR);
			int next = generations.build();
			generations.switchTo(next);
			generations.retire(next - 1);
			World.savePlace(former);
		}
		try (AnnotationConfigApplicationContext application = this.world.start(pruning(new Next()))) {
			prune();
			awaitDone(backfill(NOTES));
			assertThatAllAreIn("noted", 5);
			awaitDone(backfill(NOTES));
			assertThatAllAreIn("noted", 5);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void assertThatABackfillAppliesNoneAgain(long version) {
		prune();
		assertThat(failed(NOTES.types().stream().toList())).contains("are pruned");
		assertThatAllAreIn("noted", version);
	}

	/** The version whose only handler takes events of any type. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "noted" })
	static class Any {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Event<JsonNode> event, UUID eventId, String tenantId) {
			if (event.type().equals(NOTED)) {
				count(this.jdbc, "noted", tenantId, event.payload().get("account").asString(),
						event.payload().get("number").asLong());
			}
		}

	}

}
