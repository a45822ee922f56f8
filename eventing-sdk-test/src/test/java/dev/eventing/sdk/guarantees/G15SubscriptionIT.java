package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewOptions;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.frame.FrameForm;
import dev.eventing.sdk.nats.Broadcast;
import dev.eventing.sdk.nats.Broadcasts;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G15: whatever happens to frames and owners, each subscriber ends with exactly the
 * stored state.
 */
class G15SubscriptionIT {

	private static final Duration LEASE = Duration.ofSeconds(2);

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private AnnotationConfigApplicationContext owner() {
		return owner(ProjectorSettings.NONE);
	}

	private AnnotationConfigApplicationContext owner(ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(new Balances()).with(settings).lease(LEASE));
	}

	/** Has the view's code, and pushes nothing. */
	private AnnotationConfigApplicationContext silent() {
		return this.world.start(WorldApplication.of(new Balances())
			.lease(LEASE)
			.customize(
					(context) -> context.registerBean(LiveViewOptions.class, () -> new LiveViewOptions(4096, false))));
	}

	private static LiveViews views(AnnotationConfigApplicationContext application) {
		return application.getBean(LiveViews.class);
	}

	private static Broadcasts nats(AnnotationConfigApplicationContext application) {
		return new Broadcasts(application.getBean(NatsClient.class));
	}

	@Test
	void dropsWhatIsOldAndReadsWhatDoesNotJoin() {
		try (AnnotationConfigApplicationContext owner = owner();
				AnnotationConfigApplicationContext silent = silent();
				Watcher watcher = Watcher.of(views(owner), World.ACME, "a")) {
			await().until(watcher::isLive);
			this.world.publish(World.ACME, "a", 1, 5);
			await().until(() -> watcher.version().version() == 5);
			String subject = views(owner).subject(World.ACME, Balances.NAME, "a");
			int states = watcher.states.size();
			for (LiveFrame old : List.copyOf(watcher.frames)) {
				nats(owner).publish(FrameForm.write(subject, old));
			}
			LiveFrame forged = new LiveFrame("delta", 5, new LiveVersion(0, 6), false, "{\"total\":-1}");
			nats(owner).publish(FrameForm.write(subject, forged));
			views(silent).apply(Balances.NAME, this.world.deposit(World.ACME, "a", 6));
			this.world.publish(World.ACME, "a", 7, 7);
			await().until(() -> watcher.version().version() == 7);
			assertThat(watcher.isCurrent(views(owner))).isTrue();
			assertThat(watcher.balance()).isEqualTo(Balances.Balance.upTo(7));
			// the last one joins if a read came between it and what was applied silently
			assertThat(watcher.frames).as("without those that are old or forged")
				.extracting((frame) -> frame.version().version())
				.isSubsetOf(1L, 2L, 3L, 4L, 5L, 7L)
				.doesNotHaveDuplicates();
			assertThat(watcher.states).as("one more at least, of the read").hasSizeGreaterThan(states);
			nats(owner)
				.publish(FrameForm.write(subject, new LiveFrame("delta", 9, new LiveVersion(1, 10), false, "no JSON")));
			nats(owner).publish(new Broadcast(subject, Map.of(), Broadcast.Body.EMPTY));
			this.world.publish(World.ACME, "a", 8, 9);
			await().until(() -> watcher.version().version() == 9 && watcher.isCurrent(views(owner)));
		}
	}

	@Test
	void healsALostLastFrameByWhatTheOwnerTellsAfterwards() {
		try (AnnotationConfigApplicationContext owner = owner();
				AnnotationConfigApplicationContext silent = silent();
				Watcher watcher = Watcher.of(views(owner), World.ACME, "a")) {
			await().until(watcher::isLive);
			List<LiveFrame> told = new CopyOnWriteArrayList<>();
			String subject = views(owner).subject(World.ACME, Balances.NAME, "a");
			try (Broadcasts.Receiver receiver = nats(owner).receive(List.of(subject), (message) -> {
				LiveFrame frame = FrameForm.read(message);
				if (frame != null && frame.event().equals(FrameForm.DIGEST)) {
					told.add(frame);
				}
			})) {
				await().until(receiver::ensure);
				this.world.publish(World.ACME, "a", 1, 3);
				await().until(() -> told.size() == 2);
				assertThat(told).extracting((frame) -> frame.version().toString()).containsOnly("1.3");
			}
			views(silent).apply(Balances.NAME, this.world.deposit(World.ACME, "a", 4));
			assertThat(watcher.version().version()).isEqualTo(3);
			nats(owner).publish(FrameForm.digest(subject, new LiveVersion(1, 4)));
			await().atMost(Duration.ofSeconds(5)).until(() -> watcher.version().version() == 4);
			assertThat(watcher.balance()).isEqualTo(Balances.Balance.upTo(4));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void followsASwitchARollBackAndARebuild(Source source) {
		for (int account = 0; account < 5; account++) {
			add(source, "a" + account, 1, 10);
		}
		try (AnnotationConfigApplicationContext owner = owner(ProjectorSettings.builder().source(source).build())) {
			List<Watcher> watchers = new ArrayList<>();
			for (int account = 0; account < 6; account++) {
				watchers.add(Watcher.of(views(owner), World.ACME, "a" + account));
			}
			await().until(() -> watchers.stream().limit(5).allMatch((each) -> each.version().version() == 10));
			this.world.jdbc()
				.update("update eventing.projection_snapshots set state = state || '{\"total\":-7}' where key = 'a1'");
			this.operators.rebuildBeside(Balances.NAME, "anna", "wrong", Patience.LONG);
			await().until(() -> status(2) == ProjectionGeneration.Status.READY);
			switchTo(2);
			await().until(() -> watchers.stream().allMatch((each) -> each.version().liveEpoch() == 2));
			assertThat(watchers.get(1).balance()).isEqualTo(Balances.Balance.upTo(10));
			add(source, "a1", 11, 12);
			await().until(() -> watchers.get(1).version().toString().equals("2.12"));
			switchTo(1);
			await().until(() -> watchers.get(1).version().toString().equals("3.12"));
			assertThat(watchers.get(1).balance().total()).as("of the former generation").isEqualTo(-7 + 11 + 12);
			switchTo(2);
			await().until(() -> watchers.get(1).version().toString().equals("4.12"));
			this.operators.retire(Balances.NAME, 1, "anna", "done", Patience.LONG);
			await().until(() -> this.world
				.count("select count(*) from eventing.projection_snapshots where generation = 1") == 0);
			this.operators.rebuildInPlace(Balances.NAME, "anna", "again", Patience.LONG);
			await().until(() -> status(3) == ProjectionGeneration.Status.LIVE);
			await().until(() -> watchers.stream().allMatch((each) -> each.isCurrent(views(owner)) && each.isLive()));
			assertThat(watchers.get(1).balance()).isEqualTo(Balances.Balance.upTo(12));
			assertThat(watchers.get(1).version()).isEqualTo(new LiveVersion(6, 12));
			watchers.forEach(Watcher::close);
		}
	}

	private void add(Source source, String account, long from, long to) {
		if (source == Source.JETSTREAM) {
			this.world.publish(World.ACME, account, from, to);
		}
		else {
			this.world.append(World.ACME, account, from, to);
		}
	}

	private ProjectionGeneration.Status status(int generation) {
		return this.operators.generations(Balances.NAME)
			.stream()
			.filter((each) -> each.generation() == generation)
			.map(ProjectionGeneration::status)
			.findFirst()
			.orElse(null);
	}

	private void switchTo(int generation) {
		String detail = PatientSwitch.ask(() -> {
			this.operators.switchTo(Balances.NAME, generation, "anna", "better", Patience.LONG);
			await().until(() -> request().status() != Status.PENDING);
			return String.valueOf(request().detail());
		});
		assertThat(detail).startsWith("Generation " + generation + " is live from position ");
	}

	private ProjectionRequest.State request() {
		return this.operators.lastRequest(Balances.NAME).orElseThrow().state();
	}

	@Test
	void tellsLiveFromStaleAndReadsOnWhileNoOwnerIsHeard() {
		try (AnnotationConfigApplicationContext other = this.world.start(WorldApplication.of())) {
			LiveViews views = views(other);
			try (AnnotationConfigApplicationContext owner = owner();
					Watcher early = Watcher.of(views, World.ACME, "a")) {
				this.world.publish(World.ACME, "a", 1, 3);
				await().until(() -> early.isLive() && early.version().version() == 3);
			}
			try (Watcher watcher = Watcher.of(views, World.ACME, "a")) {
				await().until(() -> watcher.status() == LiveViewStatus.STALE);
				this.world.jdbc().update("update eventing.projection_snapshots set version = 9");
				await().atMost(Duration.ofSeconds(5)).until(() -> watcher.version().version() == 9);
				assertThat(watcher.status()).isEqualTo(LiveViewStatus.STALE);
				this.world.jdbc().update("update eventing.projection_snapshots set version = 3");
				await().until(() -> watcher.version().version() == 3);
				try (AnnotationConfigApplicationContext owner = owner()) {
					this.world.publish(World.ACME, "a", 4, 4);
					await().until(() -> watcher.isLive() && watcher.version().version() == 4);
				}
			}
		}
	}

}
