package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Effects;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.AppendSignal;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.store.StoreOptions;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContextException;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static java.time.Clock.systemUTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * G13: what a handler appends exists once for each event, over attempts, letters, builds,
 * switches and roll backs.
 */
class G13EffectsIT extends EffectSetup {

	private final First first = new First();

	private final Second second = new Second();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@Test
	void existOnceThroughALetterAFixASwitchAndRollBacks() {
		this.first.refused.add("a1");
		append("a1", 1, 2);
		append("a2", 1, 2);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitOpen(LIVE, 2);
			awaitNotices("a2", 4);
		}
		try (AnnotationConfigApplicationContext both = start(this.first, this.second)) {
			this.generations.build();
			awaitVersion("accounts_g2", "a1", 2);
			assertThat(states()).containsExactly("STORED");
			assertThat(notices("a1")).isZero();
			append("a2", 3, 3);
			awaitVersion("accounts_g2", "a2", 3);
			this.generations.switchTo(2);
			awaitEachEffectOnce();
			append("a1", 3, 3);
			append("a2", 4, 4);
			awaitEachEffectOnce();
			this.generations.switchTo(1);
			append("a2", 5, 5);
			awaitEachEffectOnce();
			this.first.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a1", 3);
			this.generations.switchTo(2);
			append("a1", 4, 4);
			awaitEachEffectOnce();
			this.generations.retire(1);
			this.generations.assertThatNothingIsLeft();
			await().until(() -> states().isEmpty());
		}
		assertThat(this.second.modes).contains(HandlerMode.BUILD, HandlerMode.LIVE);
		assertThat(this.first.modes).contains(HandlerMode.LIVE, HandlerMode.BUILD, HandlerMode.REDRIVE);
	}

	/** The standby applies it; the live one has it as a letter, which stays open. */
	@Test
	void areAppendedAfterARollBackIfOnlyTheStandbyHasAppliedTheEvent() {
		append("a1", 1, 1);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitEachEffectOnce();
		}
		try (AnnotationConfigApplicationContext both = start(this.first, this.second)) {
			this.generations.build();
			this.generations.switchTo(2);
			this.second.refused.add("a1");
			append("a1", 2, 2);
			awaitOpen(LIVE, 1);
			awaitVersion("accounts_g1", "a1", 2);
			assertThat(notices("a1")).isEqualTo(2);
			this.generations.switchTo(1);
			awaitEachEffectOnce();
			this.second.refused.clear();
			this.generations.switchTo(2);
			redrive(LIVE);
			awaitVersion("public", "a1", 2);
			awaitEachEffectOnce();
		}
	}

	/** No handler runs again for them, so nothing else would tell. */
	@Test
	void thatCannotBeAppendedAfterASwitchAreShownUntilTheyAre() {
		this.first.refused.add("a1");
		append("a1", 1, 2);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitOpen(LIVE, 2);
		}
		try (AnnotationConfigApplicationContext both = start(this.first, this.second)) {
			this.generations.build();
			awaitVersion("accounts_g2", "a1", 2);
			this.world.jdbc().execute("""
					alter table eventing.events add constraint no_notices check (event_type <> 'Noticed') not valid""");
			this.generations.switchTo(2);
			await().until(() -> World.status(both, Accounts.PROJECTOR).detail().contains("accounts-effects"));
			assertThat(World.status(both, Accounts.PROJECTOR).state()).isNotEqualTo(ProjectorState.RUNNING);
			assertThat(notices("a1")).isZero();
			this.world.jdbc().execute("alter table eventing.events drop constraint no_notices");
			awaitEachEffectOnce();
			await().until(() -> World.status(both, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	/** Such as one that a constraint does not like. */
	@Test
	void thatCannotBeAppendedAfterASwitchHoldUpOnlyLaterOnesOfTheirStream() {
		this.first.refused.addAll(List.of("a1", "a2"));
		append("a1", 1, 2);
		append("a2", 1, 2);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitOpen(LIVE, 4);
		}
		try (AnnotationConfigApplicationContext both = start(this.first, this.second)) {
			this.generations.build();
			awaitVersion("accounts_g2", "a2", 2);
			this.world.jdbc().execute("""
					alter table eventing.events add constraint no_notice
					check (stream_id <> 'notices-a1' or payload ->> 'version' <> '1') not valid""");
			this.generations.switchTo(2);
			awaitNotices("a2", 4);
			await().until(() -> World.status(both, Accounts.PROJECTOR).detail().contains("stream 'notices-a1'"));
			assertThat(noticedIn("notices-a1")).isEmpty();
			assertThat(noticedIn("later-a1")).containsExactly("1", "2");
			this.world.jdbc().execute("alter table eventing.events drop constraint no_notice");
			awaitEachEffectOnce();
			assertThat(noticedIn("notices-a1")).containsExactly("1", "2");
		}
	}

	/** The versions that effects in a stream are about, in its order. */
	private List<String> noticedIn(String stream) {
		return this.world.jdbc()
			.queryForList(
					"select payload ->> 'version' from eventing.events where stream_id = ? order by stream_version",
					String.class, stream);
	}

	@Test
	void existOnceHoweverOftenTheHandlerIsTried() {
		this.first.unavailable.add("a1");
		append("a1", 1, 1);
		try (AnnotationConfigApplicationContext application = start(this.first)) {
			await().until(
					() -> this.world.count("select coalesce(max(attempts), 0) from eventing.projector_attempts") > 2);
			assertThat(notices("a1")).isZero();
			this.first.unavailable.clear();
			awaitEachEffectOnce();
			assertThat(this.world.jdbc()
				.queryForList(
						"select distinct metadata->>'causationId' from eventing.events where event_type = 'Noticed'",
						String.class))
				.isEqualTo(this.world.jdbc()
					.queryForList("select event_id::text from eventing.events where event_type = 'Deposited'",
							String.class));
		}
	}

	@Test
	void existOnceThoughALetterIsRedriven() {
		this.first.refused.add("a1");
		append("a1", 1, 3);
		try (AnnotationConfigApplicationContext application = start(this.first)) {
			awaitOpen(LIVE, 3);
			assertThat(notices("a1")).isZero();
			redrive(LIVE);
			awaitOpen(LIVE, 3);
			this.first.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a1", 3);
			awaitEachEffectOnce();
			assertThat(this.first.modes).containsExactlyInAnyOrder(HandlerMode.LIVE, HandlerMode.REDRIVE);
		}
	}

	/** Except the letters' events, which the projector has not applied yet. */
	@Test
	void doNotComeAgainInARebuildInPlace() {
		this.first.refused.add("a1");
		append("a1", 1, 2);
		append("a2", 1, 5);
		try (AnnotationConfigApplicationContext application = start(this.first)) {
			awaitOpen(LIVE, 2);
			awaitNotices("a2", 10);
			this.first.refused.clear();
			this.first.refused.add("a2");
			rebuildInPlace();
			awaitVersion("public", "a1", 2);
			awaitEachEffectOnce();
			assertThat(states()).containsExactly("SETTLED");
			this.first.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a2", 5);
			append("a2", 6, 6);
			awaitEachEffectOnce();
		}
	}

	/** The next one appends for new events only, also where it has letters of others. */
	@Test
	void areNoneOfEventsThatAVersionWithoutEffectsHasBehindIt() {
		append("a1", 1, 2);
		try (AnnotationConfigApplicationContext former = start(new WithoutEffects())) {
			awaitVersion("public", "a1", 2);
		}
		try (AnnotationConfigApplicationContext both = start(new WithoutEffects(), this.second)) {
			this.generations.build();
			this.generations.switchTo(2);
			append("a1", 3, 3);
			awaitNotices("a1", 2);
			this.generations.switchTo(1);
			this.second.refused.add("a1");
			append("a1", 4, 4);
			awaitVersion("public", "a1", 4);
			awaitOpen("accounts#2", 1);
			this.generations.switchTo(2);
			assertThat(states()).containsExactly("SETTLED");
			this.second.refused.clear();
			redrive(LIVE);
			awaitVersion("public", "a1", 4);
			append("a1", 5, 5);
			awaitNotices("a1", 4);
		}
	}

	/** The same version has none before, and some after a deployment. */
	@Test
	void areNoneInARebuildInPlaceOfEventsThatWereHandledWithoutThem() {
		append("a1", 1, 2);
		try (AnnotationConfigApplicationContext former = start(new WithoutEffects())) {
			awaitVersion("public", "a1", 2);
		}
		try (AnnotationConfigApplicationContext application = start(this.first)) {
			rebuildInPlace();
			append("a1", 3, 3);
			awaitNotices("a1", 2);
			awaitVersion("public", "a1", 3);
			assertThat(notices("a1")).isEqualTo(2);
		}
	}

	@Test
	void ofARetiredGenerationAreNeverAppended() {
		this.first.refused.add("a1");
		append("a1", 1, 2);
		append("a2", 1, 1);
		try (AnnotationConfigApplicationContext former = start(this.first)) {
			awaitOpen(LIVE, 2);
			awaitNotices("a2", 2);
		}
		try (AnnotationConfigApplicationContext both = start(this.first, this.second)) {
			this.generations.build();
			awaitVersion("accounts_g2", "a1", 2);
			assertThat(states()).containsExactly("STORED");
			this.generations.retire(2);
			await().until(() -> states().isEmpty());
			assertThat(notices("a1")).isZero();
			assertThat(notices("a2")).isEqualTo(2);
		}
	}

	@Test
	void areRefusedWhereTheyCannotBeCommittedWithTheirEvent() {
		assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(() -> start(new Competing()).close())
			.withMessageContaining("with ordering = NONE nodes compete for its events");
		assertThatExceptionOfType(InvalidDeclarationException.class).isThrownBy(() -> start(new InAppends()).close())
			.withMessageContaining("run inside an append, which cannot append");
		try (HikariDataSource other = World.dataSource(this.world.jdbcUrl())) {
			EventStore elsewhere = new EventStore(other, EventingSchema.defaults(), EventJson.mapper(),
					new AppendSignal(), StoreOptions.defaults(), systemUTC());
			assertThatExceptionOfType(ApplicationContextException.class)
				.isThrownBy(
						() -> this.world
							.start(WorldApplication.of(this.first)
								.customize((context) -> context.registerBean(EventStore.class, () -> elsewhere)))
							.close())
				.havingCause()
				.isInstanceOf(ProjectorStartException.class)
				.withMessageContaining("its EventStore appends in the transactions of another DataSource");
		}
	}

	private void rebuildInPlace() {
		this.operators.rebuildInPlace(LIVE, "anna", "a test", Patience.LONG);
		await().until(() -> this.generations.all()
			.stream()
			.anyMatch((each) -> each.generation() == 2 && each.status() == ProjectionGeneration.Status.LIVE));
	}

	private AnnotationConfigApplicationContext start(Object... versions) {
		return this.world.start(WorldApplication.of(versions).lease(Duration.ofSeconds(2)));
	}

	/** The version before handlers had effects. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class WithoutEffects extends BesideSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	static class Competing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", ordering = Ordering.NONE)
		public void on(Deposited event, Effects effects) {
			effects.append("notices-" + event.account(), NewEvent.of(event));
		}

	}

	static class InAppends {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.INLINE)
		public void on(Deposited event, Effects effects) {
			effects.append("notices-" + event.account(), NewEvent.of(event));
		}

	}

}
