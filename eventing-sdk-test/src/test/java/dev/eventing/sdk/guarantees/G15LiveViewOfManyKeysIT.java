package dev.eventing.sdk.guarantees;

import java.util.List;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.Transfers.Purse;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Live views whose events change the states of several keys: all of them, or none. */
class G15LiveViewOfManyKeysIT {

	private static final TenantId OTHER = TenantId.of("other");

	@AutoClose
	private final World world = World.create();

	private final Transfers transfers = new Transfers();

	private AnnotationConfigApplicationContext start(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(this.transfers).with(settings));
	}

	private static Event<Transferred> transfer(TenantId tenant, String from, String to, long amount) {
		return Event.builder(tenant, new Transferred(from, to, amount)).build();
	}

	private void publish(TenantId tenant, String from, String to, long amount) {
		this.world.publish(transfer(tenant, from, to, amount));
	}

	private static void awaitPurse(LiveViews views, TenantId tenant, String key, long version, Purse purse) {
		await().until(() -> views.read(tenant, Transfers.NAME, key)
			.filter((state) -> state.version().version() == version)
			.isPresent());
		assertThat(views.readRequired(tenant, Transfers.NAME, key).as(Purse.class)).isEqualTo(purse);
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void foldsAnEventIntoTheStatesOfItsKeys(Source source) {
		try (AnnotationConfigApplicationContext application = start(
				ProjectorSettings.builder().source(source).batchSize(3).build())) {
			LiveViews views = application.getBean(LiveViews.class);
			for (TenantId tenant : List.of(World.ACME, OTHER)) {
				long last = tenant.equals(OTHER) ? 2 : 5;
				for (long amount = 1; amount <= last; amount++) {
					add(source, tenant, new Transferred("a", "b", amount));
				}
			}
			add(source, World.ACME, new Transferred("", "b", 100));
			add(source, World.ACME, new Transferred("b", "c", 7));
			add(source, World.ACME, new Transferred("c", "c", 9));
			awaitPurse(views, World.ACME, "c", 2, new Purse(7, "7;9;"));
			awaitPurse(views, World.ACME, "b", 6, new Purse(15 - 7, "1;2;3;4;5;7;"));
			awaitPurse(views, World.ACME, "a", 5, new Purse(-15, "1;2;3;4;5;"));
			awaitPurse(views, OTHER, "a", 2, new Purse(-3, "1;2;"));
			awaitPurse(views, OTHER, "b", 2, new Purse(3, "1;2;"));
			assertThat(this.world.count("select count(*) from eventing.projection_snapshots")).isEqualTo(5);
			assertThat(this.world.count("select count(*) from eventing.processed_events where tenant_id = 'other'"))
				.as("one claim for each event")
				.isEqualTo(2);
		}
	}

	private void add(Source source, TenantId tenant, Transferred event) {
		if (source == Source.JETSTREAM) {
			publish(tenant, event.from(), event.to(), event.amount());
		}
		else {
			this.world.inTransaction((store) -> store.append(tenant, this.world.storedStream("a"),
					ExpectedVersion.any(), NewEvent.of(event)));
		}
	}

	@Test
	void anEventThatFailsForOneKeyChangesNoneAndHoldsBackLaterEventsOfEach() {
		try (AnnotationConfigApplicationContext application = start(
				ProjectorSettings.builder().maxDeliver(1).build())) {
			LiveViews views = application.getBean(LiveViews.class);
			publish(World.ACME, "a", "b", 1);
			awaitPurse(views, World.ACME, "b", 1, new Purse(1, "1;"));
			try (Watcher a = Watcher.of(views, Transfers.NAME, World.ACME, "a");
					Watcher c = Watcher.of(views, Transfers.NAME, World.ACME, "c");
					Watcher foreign = Watcher.of(views, Transfers.NAME, OTHER, "c")) {
				await().until(() -> a.isLive() && c.isLive() && foreign.isLive());
				this.transfers.refused.add("b/2");
				publish(World.ACME, "a", "b", 2);
				await().until(() -> this.world.deadLetters(Transfers.NAME).size() == 1);
				publish(World.ACME, "c", "a", 3);
				publish(World.ACME, "b", "c", 4);
				publish(OTHER, "d", "c", 5);
				await().until(() -> this.world.deadLetters(Transfers.NAME).size() == 3);
				awaitPurse(views, OTHER, "c", 1, new Purse(5, "5;"));
				awaitPurse(views, World.ACME, "a", 1, new Purse(-1, "1;"));
				assertThat(views.read(World.ACME, Transfers.NAME, "c")).isEmpty();
				assertThat(this.world.deadLetters(Transfers.NAME)).extracting(DeadLetter::tenantId)
					.containsOnly(World.ACME);
				this.transfers.refused.clear();
				this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Transfers.NAME), "ops"));
				awaitPurse(views, World.ACME, "a", 3, new Purse(-1 - 2 + 3, "1;2;3;"));
				awaitPurse(views, World.ACME, "b", 3, new Purse(1 + 2 - 4, "1;2;4;"));
				awaitPurse(views, World.ACME, "c", 2, new Purse(-3 + 4, "3;4;"));
				await().until(() -> a.version().version() == 3 && c.version().version() == 2);
				// a state may be read before its frame comes
				assertThat(versions(a)).isSubsetOf(2L, 3L).isSorted();
				assertThat(versions(c)).isSubsetOf(1L, 2L).isSorted();
				assertThat(versions(foreign)).isSubsetOf(1L);
			}
		}
	}

	/** Any key might be the one that it would have had. */
	@Test
	void anEventWhoseKeysAreUnknownHoldsBackLaterEventsOfTheTenant() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			publish(World.ACME, "a", "k".repeat(3000), 1);
			await().until(() -> this.world.deadLetters(Transfers.NAME).size() == 1);
			publish(World.ACME, "a", "b", 2);
			publish(OTHER, "a", "b", 3);
			await().until(() -> this.world.deadLetters(Transfers.NAME).size() == 2);
			awaitPurse(views, OTHER, "b", 1, new Purse(3, "3;"));
			assertThat(views.keys(World.ACME, Transfers.NAME, null, 10)).isEmpty();
			assertThat(this.world.deadLetters(Transfers.NAME)).extracting((letter) -> letter.handling().status())
				.containsOnly(DeadLetterStatus.PARKED);
		}
	}

	/** Other code, and other lanes, would leave out what the first has filled. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void isFilledFromTheBeginningIfItsEventsHaveSeveralKeysNow(Source source) {
		for (long amount = 1; amount <= 9; amount++) {
			add(source, World.ACME, new Transferred("a", "b", amount));
			add(source, World.ACME, new Transferred("b", "c" + amount, amount));
		}
		Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(), EventingSchema.defaults());
		ProjectorSettings settings = ProjectorSettings.builder().source(source).build();
		OneKey before = new OneKey();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(before).with(settings))) {
			awaitPurse(application.getBean(LiveViews.class), World.ACME, "c9", 1, new Purse(9, "9;"));
			before.unavailable = "c9";
			operators.rebuildInPlace(Transfers.NAME, "anna", "a field", Patience.LONG);
			await().until(() -> this.world
				.count("select count(*) from eventing.projection_snapshots where generation = 2") > 0);
		}
		try (AnnotationConfigApplicationContext application = start(settings)) {
			await().until(() -> operators.generations(Transfers.NAME).get(0).status() == Status.LIVE);
			LiveViews views = application.getBean(LiveViews.class);
			awaitPurse(views, World.ACME, "a", 9, new Purse(-45, "1;2;3;4;5;6;7;8;9;"));
			awaitPurse(views, World.ACME, "b", 18, new Purse(0, "1;1;2;2;3;3;4;4;5;5;6;6;7;7;8;8;9;9;"));
			awaitPurse(views, World.ACME, "c9", 1, new Purse(9, "9;"));
			assertThat(this.world.count(
					"select count(*) from eventing.projection_audit where action = 'REBUILD_BEGUN_AGAIN' and generation = 2"))
				.isEqualTo(1);
		}
	}

	/** What the view was before: each event changes the state of one key. */
	@LiveView(value = Transfers.NAME, subject = "${root}.{tenant}.deposited")
	static class OneKey {

		private volatile String unavailable = "";

		Purse initial() {
			return new Purse(0, "");
		}

		String key(Transferred event) {
			return event.to();
		}

		Purse apply(Purse state, Transferred event) {
			if (event.to().equals(this.unavailable)) {
				throw new DataAccessResourceFailureException("made by the test");
			}
			return new Purse(state.total() + event.amount(), state.amounts() + event.amount() + ";");
		}

	}

	private static List<Long> versions(Watcher watcher) {
		return watcher.frames.stream().map((frame) -> frame.version().version()).toList();
	}

	@Test
	void changesAndDeletesStatesByHand() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			List<LiveState> applied = views.apply(Transfers.NAME, transfer(World.ACME, "a", "b", 1));
			assertThat(applied).extracting(LiveState::key).containsExactly("a", "b");
			assertThat(applied.get(0).as(Purse.class)).isEqualTo(new Purse(-1, "1;"));
			assertThat(views.apply(Transfers.NAME, transfer(World.ACME, "", "b", 1))).isEmpty();
			assertThat(views.rebuild(World.ACME, Transfers.NAME, "a", List.of()).exists()).isFalse();
			assertThat(views.keys(World.ACME, Transfers.NAME, null, 10)).containsExactly("b");
			publish(World.ACME, "b", "a", 2);
			awaitPurse(views, World.ACME, "a", 3, new Purse(2, "2;"));
			awaitPurse(views, World.ACME, "b", 2, new Purse(1 - 2, "1;2;"));
			LiveState rebuilt = views.rebuild(World.ACME, Transfers.NAME, "b",
					List.of(transfer(World.ACME, "a", "b", 1), transfer(World.ACME, "b", "c", 6)));
			assertThat(rebuilt.as(Purse.class)).isEqualTo(new Purse(1 - 6, "1;6;"));
			awaitPurse(views, World.ACME, "a", 3, new Purse(2, "2;"));
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(
					() -> views.rebuild(World.ACME, Transfers.NAME, "b", List.of(transfer(World.ACME, "a", "c", 1))));
		}
	}

	@Test
	void needsOneLane() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			assertThatExceptionOfType(InvalidLiveViewException.class).isThrownBy(() -> views.define(byCode(4)))
				.withMessage(
						"Live view 'by-code': Its events have several keys, which need one lane, but its concurrency"
								+ " is 4. Consider concurrency = 1 for it, or a method key in place of keys.");
			views.define(byCode(1));
			application.getBean(ProjectorRegistry.class).start("by-code");
			publish(World.ACME, "a", "b", 3);
			await().until(() -> views.keys(World.ACME, "by-code", null, 10).equals(List.of("a", "b")));
			assertThat(views.readRequired(World.ACME, "by-code", "b").as(Purse.class)).isEqualTo(new Purse(3, "b"));
		}
		assertThatExceptionOfType(InvalidLiveViewException.class)
			.isThrownBy(() -> start(ProjectorSettings.builder().concurrency(2).build()))
			.withMessageContaining("Live view 'transfers': Its events have several keys");
	}

	private LiveViewDefinition<Purse> byCode(int concurrency) {
		return LiveViewDefinition.of("by-code", Purse.class, () -> new Purse(0, ""))
			.subject(this.world.subject())
			.onKeys(Transferred.class, (event) -> List.of(event.from(), event.to()),
					(state, event, key) -> new Purse(state.total() + event.amount(), key))
			.settings((settings) -> settings.concurrency(concurrency))
			.build();
	}

}
