package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.guarantees.Balances.Balance;
import dev.eventing.sdk.liveview.InvalidLiveKeyException;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveSnapshot;
import dev.eventing.sdk.liveview.LiveState;
import dev.eventing.sdk.liveview.LiveStateNotFoundException;
import dev.eventing.sdk.liveview.LiveStateTooLargeException;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Live views: states folded from events, read, pushed and changed by hand. */
class G15LiveViewIT {

	private static final TenantId OTHER = TenantId.of("other");

	private static final ProjectorSettings ONE_ATTEMPT = ProjectorSettings.builder().maxDeliver(1).build();

	@AutoClose
	private final World world = World.create();

	private final Balances balances = new Balances();

	private AnnotationConfigApplicationContext start(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(this.balances).with(settings));
	}

	private static void awaitVersion(LiveViews views, TenantId tenant, String key, long version) {
		await().until(() -> views.read(tenant, Balances.NAME, key)
			.filter((state) -> state.version().version() == version)
			.isPresent());
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void foldsEventsByTenantAndKey(Source source) {
		try (AnnotationConfigApplicationContext application = start(
				ProjectorSettings.builder().source(source).batchSize(7).build())) {
			LiveViews views = application.getBean(LiveViews.class);
			for (TenantId tenant : List.of(World.ACME, OTHER)) {
				for (String account : List.of("a", "b", Balances.IGNORED)) {
					long last = tenant.equals(OTHER) ? 4 : 20;
					if (source == Source.JETSTREAM) {
						this.world.publish(tenant, account, 1, last);
					}
					else {
						this.world.append(tenant, account, 1, last);
					}
				}
			}
			for (String account : List.of("a", "b")) {
				awaitVersion(views, World.ACME, account, 20);
				awaitVersion(views, OTHER, account, 4);
				assertThat(views.readRequired(World.ACME, Balances.NAME, account).as(Balance.class))
					.isEqualTo(Balance.upTo(20));
				assertThat(views.readRequired(OTHER, Balances.NAME, account).as(Balance.class))
					.isEqualTo(Balance.upTo(4));
			}
			assertThat(views.read(World.ACME, Balances.NAME, Balances.IGNORED)).isEmpty();
			assertThat(this.world.count("select count(*) from eventing.projection_snapshots")).isEqualTo(4);
			assertThat(this.world.count("select max((state ->> 'large')::numeric) from eventing.projection_snapshots"))
				.isEqualTo(9_007_199_254_740_993L);
		}
	}

	@Test
	void readsStatesAndPagesOfKeys() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			for (int account = 0; account < 5; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			this.world.publish(OTHER, "z", 1, 1);
			await().until(() -> views.keys(World.ACME, Balances.NAME, null, 10).size() == 5);
			assertThat(views.keys(World.ACME, Balances.NAME, null, 2)).containsExactly("a0", "a1");
			assertThat(views.keys(World.ACME, Balances.NAME, "a1", 2)).containsExactly("a2", "a3");
			assertThat(views.keys(World.ACME, Balances.NAME, "a4", 2)).isEmpty();
			LiveSnapshot snapshot = views.read(World.ACME, Balances.NAME, List.of("a0", "none", "z"));
			assertThat(snapshot.liveEpoch()).isEqualTo(1);
			assertThat(snapshot.states()).containsOnlyKeys("a0", "none", "z");
			assertThat(snapshot.states().get("a0").version()).hasToString("1.1");
			assertThat(snapshot.states().get("z").exists()).as("of another tenant").isFalse();
			assertThat(snapshot.states().get("a0").json()).contains("\"large\":\"9007199254740993\"");
			assertThatExceptionOfType(LiveStateNotFoundException.class)
				.isThrownBy(() -> views.readRequired(World.ACME, Balances.NAME, "none"))
				.withMessageContaining("'none' of tenant 'acme'");
			assertThat(views.names()).containsExactly(Balances.NAME);
			assertThatExceptionOfType(UnknownNameException.class)
				.isThrownBy(() -> views.apply("other", this.world.deposit(World.ACME, "a0", 2)));
		}
	}

	@Test
	void pushesFramesOfEveryKeyThatCanBeStored() {
		List<String> keys = List.of("a.b.c", "*", ">", "it's \"quoted\"", "ümläut ☂", "a b\tc", "%2E", "=hash",
				"k".repeat(2048));
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			List<Watcher> watchers = new ArrayList<>();
			keys.forEach((key) -> watchers.add(Watcher.of(views, World.ACME, key)));
			Watcher foreign = Watcher.of(views, OTHER, "*");
			await().until(() -> watchers.stream().allMatch(Watcher::isLive) && foreign.isLive());
			// a look at a new owner may read a state before its frame comes
			long version = 0;
			while (watchers.stream().anyMatch((each) -> each.frames.isEmpty())) {
				long next = ++version;
				keys.forEach((key) -> this.world.publish(event(key, next)));
				await().until(() -> watchers.stream().allMatch((each) -> each.version().version() == next));
				assertThat(next).as("states without a frame").isLessThan(10);
			}
			Balance balance = Balance.upTo(version);
			watchers.forEach((each) -> {
				assertThat(each.balance()).isEqualTo(balance);
				assertThat(each.isCurrent(views)).isTrue();
				each.close();
			});
			assertThat(foreign.frames).isEmpty();
			foreign.close();
			assertThat(views.keys(World.ACME, Balances.NAME, null, 100)).containsExactlyInAnyOrderElementsOf(keys);
			assertThat(views.subject(World.ACME, Balances.NAME, "a.b")).isEqualTo("projection.acme.balances.a%2Eb");
		}
	}

	/** An event that is neither in JetStream nor in the event store. */
	private Event<Deposited> event(String account, long version) {
		return Event.builder(World.ACME, new Deposited(account, version, version)).build();
	}

	@Test
	void keepsAStateThatWouldBecomeTooLargeAndParksItsKey() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			LiveViews views = application.getBean(LiveViews.class);
			this.world.publish(World.ACME, "a", 1, 3);
			awaitVersion(views, World.ACME, "a", 3);
			this.world.publish(Event.builder(World.ACME, new Deposited("a", 4, 6000)).build());
			// a batch with both would only store the state after the second
			await().until(() -> this.world.deadLetters(Balances.NAME).size() == 1);
			this.world.publish(Event.builder(World.ACME, new Deposited("a", 5, 5)).build());
			this.world.publish(World.ACME, "b", 1, 3);
			awaitVersion(views, World.ACME, "b", 3);
			await().until(() -> this.world.deadLetters(Balances.NAME).size() == 2);
			List<DeadLetter> letters = this.world.deadLetters(Balances.NAME);
			assertThat(letters).extracting((letter) -> letter.status()).contains(DeadLetterStatus.PARKED);
			assertThat(this.world.jdbc()
				.queryForList("select distinct parking_key from eventing.dead_letters", String.class)).hasSize(1);
			assertThat(this.world.count("select count(*) from eventing.dead_letters where error_class = '"
					+ LiveStateTooLargeException.class.getName() + "'"))
				.isEqualTo(1);
			assertThat(views.readRequired(World.ACME, Balances.NAME, "a").as(Balance.class)).isEqualTo(Balance.upTo(3));
		}
	}

	@Test
	void pushesWhatARedriveApplies() {
		this.balances.refused.add("a");
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			LiveViews views = application.getBean(LiveViews.class);
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				await().until(watcher::isLive);
				this.world.publish(World.ACME, "a", 1, 6);
				this.world.publish(World.ACME, "b", 1, 6);
				awaitVersion(views, World.ACME, "b", 6);
				await().until(() -> this.world.deadLetters(Balances.NAME).size() == 6);
				assertThat(watcher.version().version()).isZero();
				this.balances.refused.clear();
				this.world.operators()
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Balances.NAME), "ops"));
				await().until(() -> watcher.version().version() == 6);
				assertThat(watcher.balance()).isEqualTo(Balance.upTo(6));
				assertThat(watcher.frames).extracting((frame) -> frame.version().version())
					.containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
			}
		}
	}

	@Test
	void pushesOneFrameForManyChangesOfAKeyInABatch() {
		this.world.publish(World.ACME, "a", 1, 1);
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			awaitVersion(views, World.ACME, "a", 1);
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				await().until(watcher::isLive);
				this.world.whileHolding("lock table eventing.projection_snapshots in exclusive mode",
						() -> this.world.publish(World.ACME, "a", 2, 400));
				await().until(() -> watcher.version().version() == 400);
				assertThat(watcher.frames).hasSizeLessThan(200);
				assertThat(watcher.balance()).isEqualTo(Balance.upTo(400));
			}
		}
	}

	@Test
	void changesStatesByHand() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.NONE)) {
			LiveViews views = application.getBean(LiveViews.class);
			this.world.publish(World.ACME, "a", 1, 5);
			awaitVersion(views, World.ACME, "a", 5);
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				await().until(watcher::isLive);
				LiveState applied = views.apply(Balances.NAME, this.world.deposit(World.ACME, "a", 6)).get(0);
				assertThat(applied.version().version()).isEqualTo(6);
				await().until(() -> watcher.version().equals(applied.version()));
				assertThat(views.apply(Balances.NAME, this.world.deposit(World.ACME, Balances.IGNORED, 1))).isEmpty();
				LiveState rebuilt = rebuildWithAFrame(views);
				await().until(() -> watcher.version().equals(rebuilt.version()));
				assertThat(views.rebuild(World.ACME, Balances.NAME, "a", List.of()).exists()).isFalse();
				assertThat(views.read(World.ACME, Balances.NAME, "a")).isEmpty();
				int frames = watcher.frames.size();
				await().until(() -> watcher.version().version() == rebuilt.version().version() + 1);
				assertThat(views.keys(World.ACME, Balances.NAME, null, 10)).isEmpty();
				assertThat(watcher.frames).as("no frame").hasSize(frames);
				this.world.publish(World.ACME, "a", 7, 7);
				await().until(() -> watcher.version().version() == rebuilt.version().version() + 2
						&& watcher.isCurrent(views));
				assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> views.rebuild(World.ACME,
						Balances.NAME, "a", List.of(this.world.deposit(World.ACME, "b", 1))));
				assertThatExceptionOfType(InvalidLiveKeyException.class)
					.isThrownBy(() -> views.apply(Balances.NAME, event("k".repeat(2049), 1)));
			}
		}
	}

	/** A subscriber may read the state before its frame comes, so NATS shows it. */
	private LiveState rebuildWithAFrame(LiveViews views) {
		try (Connection nats = Nats.connect(this.world.natsUrl())) {
			Subscription frames = nats.subscribe(FrameSubjects.of(World.ACME, Balances.NAME, "a"));
			nats.flush(Duration.ofSeconds(60));
			LiveState rebuilt = views.rebuild(World.ACME, Balances.NAME, "a",
					List.of(this.world.deposit(World.ACME, "a", 1), this.world.deposit(World.ACME, "a", 2)));
			assertThat(rebuilt.as(Balance.class)).isEqualTo(Balance.upTo(2));
			await().until(() -> {
				Message frame = frames.nextMessage(Duration.ofMillis(100));
				return frame != null && LiveFrame.REBUILD.equals(frame.getHeaders().getFirst("Eventing-Event"))
						&& new String(frame.getData(), StandardCharsets.UTF_8).contains("\"total\":3");
			});
			return rebuilt;
		}
		catch (IOException | InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void losesNothingWhereHandsAndLanesChangeOneState() {
		try (AnnotationConfigApplicationContext application = start(ProjectorSettings.builder().batchSize(3).build())) {
			LiveViews views = application.getBean(LiveViews.class);
			Thread hand = new Thread(() -> {
				for (long version = 1; version <= 100; version++) {
					views.apply(Balances.NAME, this.world.deposit(World.ACME, "a", 1));
				}
			});
			hand.start();
			this.world.publish(World.ACME, "a", 1, 100);
			awaitVersion(views, World.ACME, "a", 200);
			assertThat(views.readRequired(World.ACME, Balances.NAME, "a").as(Balance.class).total())
				.isEqualTo(100 + 5050);
			await().until(() -> !hand.isAlive());
			assertThat(this.world.deadLetters(Balances.NAME)).isEmpty();
		}
	}

	@Test
	void runsAViewThatIsDefinedByCodeWithDeltasOfItsOwn() {
		LiveViewDefinition<Balance> counted = LiveViewDefinition
			.of("counted", Balance.class, () -> new Balance(0, 0, 1, Map.of(), ""))
			.subject(this.world.root() + ".{tenant}.deposited")
			.on(Deposited.class, Deposited::account,
					(state, event) -> new Balance(event.version(), state.total() + 1, 1, Map.of(), ""))
			.deltas((before, after, event) -> Map.of("more", after.total() - before.total()))
			.event("counted")
			.settings((settings) -> settings.retryDelay(Duration.ofMillis(50)))
			.build();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(this.balances)
			.customize((context) -> context.registerBean("counted", LiveViewDefinition.class, () -> counted)))) {
			LiveViews views = application.getBean(LiveViews.class);
			assertThat(views.names()).containsExactly(Balances.NAME, "counted");
			this.world.publish(World.ACME, "a", 1, 9);
			await().until(() -> views.read(World.ACME, "counted", "a")
				.filter((state) -> state.version().version() == 9)
				.isPresent());
			assertThat(views.readRequired(World.ACME, "counted", "a").as(Balance.class).total()).isEqualTo(9);
			assertThatExceptionOfType(InvalidLiveViewException.class).isThrownBy(() -> views.define(counted))
				.withMessageContaining("There is a live view 'counted' of version 1 already.");
		}
	}

}
