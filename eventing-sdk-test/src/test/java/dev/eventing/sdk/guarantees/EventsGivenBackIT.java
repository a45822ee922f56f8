package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.test.timing.Steady;
import io.nats.client.Connection;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Deliveries that nothing settles are no progress: while they are all that the durable
 * may have, or it is paused, the projector is shown as one that does not go on.
 */
class EventsGivenBackIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	private static final TenantId GLOBEX = TenantId.of("globex");

	@AutoClose
	private final World world = World.create();

	@Test
	void stallNodesThatCompeteUntilOneHasAHandler() {
		ProjectorSettings competing = few(Ordering.NONE);
		runBoth(competing);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), competing)) {
			withdraw(2);
			await().untilAsserted(() -> assertThat(detail(application)).contains(given()));
			deposit("m", 10);
			await().until(() -> applied("m") == 10);
			Steady.holds("it goes on with other events", Duration.ofSeconds(15),
					() -> state(application) == ProjectorState.RUNNING);
			withdraw(3);
			deposit("n", 20);
			awaitStall(application, given());
			assertThat(detail(application)).contains("that wait behind 5 unsettled deliveries");
			try (AnnotationConfigApplicationContext other = start(new Both(), competing)) {
				await().until(() -> applied("n") == 20);
				await().until(() -> state(application) == ProjectorState.RUNNING);
				assertThat(other.isActive()).isTrue();
			}
		}
	}

	@Test
	void stallTheOwnerOnAWorkQueueUntilItHasAHandler() {
		makeItAQueue();
		ProjectorSettings ordered = few(Ordering.PER_KEY);
		runBoth(ordered);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), ordered)) {
			withdraw(10);
			deposit("n", 20);
			awaitStall(application, given());
			assertThat(messages()).isGreaterThanOrEqualTo(10);
		}
		runBoth(ordered);
		assertThat(applied("n")).isEqualTo(20);
		assertThat(messages()).isZero();
	}

	/** Its events belong to another application now. */
	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void areLeftToAnotherApplicationOnceTheirSubjectIsNoLongerRecorded(Ordering ordering) {
		makeItAQueue();
		ProjectorSettings settings = few(ordering);
		runBoth(settings);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), settings)) {
			withdraw(10);
			deposit("n", 20);
			awaitStall(application, given());
		}
		forgetTheSubject();
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
		try (AnnotationConfigApplicationContext application = start(new Accounts(), settings)) {
			await().until(() -> applied("n") == 20);
			this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
					ConsumerConfiguration.builder()
						.durable("theirs")
						.filterSubject(this.world.root() + ".*.withdrawn")
						.ackPolicy(AckPolicy.Explicit)
						.build()));
			await().until(() -> messages() == 10);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void doNotHoldUpNodesThatCompeteOnceTheirSubjectIsNoLongerRecorded() {
		ProjectorSettings competing = few(Ordering.NONE);
		runBoth(competing);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), competing)) {
			withdraw(10);
			deposit("n", 20);
			awaitStall(application, given());
		}
		forgetTheSubject();
		try (AnnotationConfigApplicationContext application = start(new Accounts(), competing)) {
			await().until(() -> applied("n") == 20);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Others have fetched all events, and not settled them. */
	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void stallWhileTheDurableIsPausedAndAllAreUnsettled(Ordering ordering) throws Exception {
		assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
		ProjectorSettings settings = few(ordering);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), settings)) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(application.isActive()).isTrue();
		}
		deposit("n", 3);
		try (Connection connection = Nats.connect(this.world.natsUrl())) {
			JetStreamSubscription others = connection.jetStream()
				.subscribe(null, PullSubscribeOptions.bind(this.world.stream(), DURABLE));
			assertThat(others.fetch(3, World.PATIENT)).hasSize(3);
		}
		String paused = pause();
		try (AnnotationConfigApplicationContext application = start(new Accounts(), settings)) {
			awaitStall(application, paused);
			resume();
			await().until(() -> applied("n") == 3);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "PER_KEY", "NONE" })
	void stallWhileTheDurableIsPausedAndOneWaitsForItsRetry(Ordering ordering) {
		assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
		Failing handlers = new Failing();
		try (AnnotationConfigApplicationContext application = start(handlers, few(ordering))) {
			this.world.publish(World.ACME, "failing", 1, 1);
			await().until(() -> handlers.calls.size() == 1);
			String paused = pause();
			deposit("n", 3);
			awaitStall(application, paused);
			resume();
			await().until(() -> applied("n") == 3);
			await().until(() -> state(application) == ProjectorState.RUNNING);
		}
	}

	private static ProjectorSettings few(Ordering ordering) {
		return ProjectorSettings.builder()
			.ordering(ordering)
			.maxAckPending(5)
			.ackWait(Duration.ofSeconds(3))
			.stalledAfter(Duration.ofSeconds(6))
			.build();
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(handlers).with(settings));
	}

	/** Runs the version that has a handler of both subjects until nothing is left. */
	private void runBoth(ProjectorSettings settings) {
		try (AnnotationConfigApplicationContext application = start(new Both(), settings)) {
			deposit("both", 1);
			await().until(() -> applied("both") == 1);
			await().until(() -> this.world.hasSettledAll(Accounts.PROJECTOR));
			assertThat(application.isActive()).isTrue();
		}
	}

	private void makeItAQueue() {
		this.world.jetStream((management) -> {
			management.deleteStream(this.world.stream());
			return management.addStream(StreamConfiguration.builder()
				.name(this.world.stream())
				.subjects(List.of(this.world.root() + ".>"))
				.retentionPolicy(RetentionPolicy.WorkQueue)
				.build());
		});
	}

	private void forgetTheSubject() {
		assertThat(this.world.jdbc()
			.update("delete from eventing.projector_coverage where projector_name = ? and stream = ? and name = ?",
					Accounts.PROJECTOR, this.world.stream(), this.world.root() + ".*.withdrawn"))
			.isOne();
	}

	private long messages() {
		return this.world.jetStream((management) -> management.getStreamInfo(this.world.stream()))
			.getStreamState()
			.getMsgCount();
	}

	private void withdraw(int number) {
		for (int event = 0; event < number; event++) {
			this.world.publisher()
				.publish(this.world.root() + ".{tenant}.withdrawn",
						Event.builder(GLOBEX, new Withdrawn("w" + event)).build());
		}
	}

	private void deposit(String accounts, int number) {
		for (int account = 0; account < number; account++) {
			this.world.publish(World.ACME, accounts + account, 1, 1);
		}
	}

	private long applied(String accounts) {
		return this.world.count("select count(*) from account where account like '" + accounts + "%'");
	}

	private String given() {
		return "it leaves events of '" + this.world.root() + ".*.withdrawn' to nodes that have a handler for them";
	}

	private static void awaitStall(AnnotationConfigApplicationContext application, String why) {
		await().untilAsserted(() -> {
			assertThat(state(application)).isEqualTo(ProjectorState.STALLED);
			assertThat(detail(application)).contains(why);
			assertThat(StruckThreads.health(application).getStatus()).isEqualTo(Status.DOWN);
		});
	}

	private static ProjectorState state(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).state();
	}

	private static String detail(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).detail();
	}

	/** Returns what the status tells of it. */
	private String pause() {
		ZonedDateTime until = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1).truncatedTo(ChronoUnit.SECONDS);
		this.world.jetStream((management) -> management.pauseConsumer(this.world.stream(), DURABLE, until));
		return "its durable '" + DURABLE + "' is paused on the server until " + until.toInstant();
	}

	private void resume() {
		this.world.jetStream((management) -> management.resumeConsumer(this.world.stream(), DURABLE));
	}

	/** The version of the projector that listens to withdrawals, too. */
	static class Both extends Accounts {

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn", projectorName = PROJECTOR)
		public void onWithdrawn(Withdrawn event, UUID eventId, String tenantId) {
			// that it is settled is enough
		}

	}

	/** Fails with one account, and is to try it again much later. */
	static class Failing extends Accounts {

		Failing() {
			super((event) -> {
				if (event.account().equals("failing")) {
					throw new Refused();
				}
			});
		}

		@Override
		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = PROJECTOR, retryDelay = 600_000,
				retryMaxDelay = 600_000)
		public void on(Deposited event, UUID eventId, String tenantId) {
			super.on(event, eventId, tenantId);
		}

	}

}
