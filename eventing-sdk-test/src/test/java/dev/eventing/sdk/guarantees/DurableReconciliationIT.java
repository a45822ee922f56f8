package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorStartException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.schema.SchemaMode;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.test.timing.Stopwatch;
import io.nats.client.Connection;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Nats;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.PriorityPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * A durable is made, found, brought up to date, or refused with the decision that an
 * operator has to make.
 */
class DurableReconciliationIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	@Test
	void bringsAnExistingDurableUpToDate() {
		exists(DURABLE,
				(durable) -> durable.ackWait(Duration.ofSeconds(5))
					.maxAckPending(7)
					.maxDeliver(4)
					.backoff(Duration.ofSeconds(5), Duration.ofSeconds(6))
					.filterSubject(this.world.root() + ".*.other"));
		ProjectorSettings settings = ProjectorSettings.builder()
			.ackWait(Duration.ofSeconds(12))
			.maxAckPending(55)
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Accounts()).with(settings))) {
			ConsumerConfiguration durable = durable();
			assertThat(durable.getAckWait()).isEqualTo(Duration.ofSeconds(12));
			assertThat(durable.getMaxAckPending()).isEqualTo(55);
			assertThat(durable.getMaxDeliver()).isEqualTo(-1);
			assertThat(durable.getBackoff()).isEmpty();
			assertThat(durable.getFilterSubjects()).containsExactly(this.world.root() + ".*.deposited");
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(application.isActive()).isTrue();
		}
	}

	@Test
	void leavesADurableAloneThatIsAsItHasToBe() {
		try (AnnotationConfigApplicationContext application = start()) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(application.isActive()).isTrue();
		}
		ConsumerConfiguration before = durable();
		try (AnnotationConfigApplicationContext application = start()) {
			this.world.publish(World.ACME, "a", 4, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			assertThat(durable().toJson()).isEqualTo(before.toJson());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().duplicates()).isZero();
		}
	}

	@Test
	void refusesWhatCannotBeChangedAllAtOnceAndNamesBothValues() {
		exists("push-consumer", (durable) -> durable.deliverSubject("elsewhere." + this.world.root()));
		exists("acks-consumer", (durable) -> durable.ackPolicy(AckPolicy.All));
		exists("policy-consumer", (durable) -> durable.deliverPolicy(io.nats.client.api.DeliverPolicy.Last));
		assertThat(problemsOf(new ThreeProjectors())).satisfiesExactlyInAnyOrder(
				(push) -> assertThat(push).contains("'push-consumer'", "projector 'push'", this.world.stream(),
						"pushes to 'elsewhere." + this.world.root() + "'", "pull consumer"),
				(acks) -> assertThat(acks).contains("'acks-consumer'", "projector 'acks'", this.world.stream(),
						"ack policy is 'all'", "'explicit'"),
				(policy) -> assertThat(policy).contains("'policy-consumer'", "projector 'policy'", this.world.stream(),
						"deliver policy is 'last'", "'all'"));
	}

	@Test
	void refusesLimitsThatWouldRefuseItsRequestsAllAtOnceAndNamesThem() {
		exists(DURABLE,
				(durable) -> durable.maxBatch(7)
					.maxBytes(1000)
					.maxExpires(Duration.ofSeconds(1))
					.maxPullWaiting(3)
					.priorityPolicy(PriorityPolicy.Overflow)
					.priorityGroups("jobs"));
		// nats-server before 2.11 does not know priority groups, and forgets them
		List<String> groups = durable().getPriorityGroups();
		assertThat(problemsOf(new Accounts())).singleElement()
			.asString()
			.contains("'" + DURABLE + "'", "projector 'accounts'", "max batch is '7'", "'1000'", "'PT1S'", "'PT2S'",
					"max waiting is '3'", "Consider",
					(groups == null || groups.isEmpty()) ? "durableName" : "priority groups 'jobs'");
	}

	@Test
	void saysWhatTheServerSaysOfLimitsThatSomebodySetsLater() {
		try (AnnotationConfigApplicationContext application = start()) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			ConsumerConfiguration before = durable();
			change(ConsumerConfiguration.builder(before).maxExpires(Duration.ofSeconds(1)).build());
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("'" + DURABLE + "'", "409", "MaxRequestExpires");
			});
			Steady.holds(Duration.ofSeconds(2),
					() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.FAILED);
			change(before);
			this.world.publish(World.ACME, "a", 2, 2);
			await().until(() -> this.world.version(World.ACME, "a") == 2);
		}
	}

	private void change(ConsumerConfiguration configuration) {
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(), configuration));
	}

	@Test
	void saysWhichSubjectNoStreamCarries() {
		assertThat(problemsOf(new NoStream())).singleElement()
			.asString()
			.contains("Projector 'nowhere'", "'nowhere." + this.world.root() + "'", "no stream carries that");
	}

	@Test
	void saysWhichNamedStreamDoesNotExist() {
		assertThat(problemsOf(new MissingStream())).singleElement()
			.asString()
			.contains("Projector 'missing'", "stream 'missing-" + this.world.root() + "'", "does not exist");
	}

	@Test
	void saysWhatTheNamedStreamCarriesInstead() {
		assertThat(problemsOf(new OtherSubject())).singleElement()
			.asString()
			.contains("Projector 'other'", "'elsewhere." + this.world.root() + "'",
					"stream '" + this.world.stream() + "'", "'" + this.world.root() + ".>'");
	}

	@Test
	void saysWhichStreamsCarryTheSubjectsTogether() {
		String second = this.world.root() + "-second";
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(second)
			.subjects(List.of("second." + this.world.root() + ".>"))
			.build()));
		try {
			assertThat(problemsOf(new TwoStreams())).singleElement()
				.asString()
				.contains("Projector 'both'", this.world.root() + ".*.deposited",
						"second." + this.world.root() + ".*.withdrawn", "'" + this.world.stream() + "'",
						"'" + second + "'");
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(second));
		}
	}

	@Test
	void acceptsADurableAgainThatItPlacedItself() {
		try (AnnotationConfigApplicationContext application = start()) {
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 3);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
		}
		this.world.jetStream((management) -> management.deleteConsumer(this.world.stream(), DURABLE));
		for (long version = 4; version <= 5; version++) {
			long next = version;
			try (AnnotationConfigApplicationContext application = start()) {
				assertThat(durable().getDeliverPolicy()).isEqualTo(io.nats.client.api.DeliverPolicy.ByStartSequence);
				assertThat(durable().getStartSequence()).isEqualTo(4);
				this.world.publish(World.ACME, "a", next, next);
				await().until(() -> World.status(application, Accounts.PROJECTOR).counts().processed() == 1);
				assertThat(World.status(application, Accounts.PROJECTOR).counts().duplicates()).isZero();
			}
		}
	}

	@Test
	void beginsWithTheNextEventWhenToldTo() {
		// one lane, so that events of different accounts have an order, too
		ProjectorSettings onlyNew = ProjectorSettings.builder().deliverPolicy(DeliverPolicy.NEW).concurrency(1).build();
		this.world.publish(World.ACME, "before", 1, 3);
		Accounts accounts = new Accounts();
		for (int start = 1; start <= 2; start++) {
			String account = "after" + start;
			try (AnnotationConfigApplicationContext application = this.world
				.start(WorldApplication.of(accounts).with(onlyNew))) {
				this.world.publish(World.ACME, account, 1, 2);
				await().until(() -> this.world.version(World.ACME, account) == 2);
				assertThat(application.isActive()).isTrue();
			}
			this.world.publish(World.ACME, "between" + start, 1, 1);
		}
		assertThat(accounts.calls).extracting(Deposited::account)
			.containsExactly("after1", "after1", "between1", "after2", "after2");
	}

	@Test
	void readsSubjectsThatOverlapThroughOneDurable() {
		Overlapping overlapping = new Overlapping();
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(overlapping))) {
			this.world.publish(World.ACME, "a", 1, 1);
			this.world.publisher()
				.publish(this.world.root() + ".{tenant}.withdrawn",
						Event.builder(World.ACME, new Withdrawn("a")).streamId("a").streamVersion(2L).build());
			await().untilAsserted(() -> assertThat(overlapping.events).containsExactly("Deposited", "Withdrawn"));
			await().untilAsserted(
					() -> assertThat(World.status(application, "overlapping").counts().processed()).isEqualTo(2));
			ConsumerConfiguration durable = this.world
				.jetStream((management) -> management.getConsumerInfo(this.world.stream(), "overlapping-consumer"))
				.getConsumerConfiguration();
			assertThat(durable.getFilterSubjects()).containsExactly(this.world.root() + ".>");
		}
	}

	@Test
	void refusesTheDurableOfAnotherDatabase() {
		try (AnnotationConfigApplicationContext owner = start()) {
			String other = TestServers.postgres().createDatabase();
			Throwable thrown = catchThrowable(() -> World
				.start(this.world.natsUrl(), other, this.world.root(),
						WorldApplication.of(new Accounts()).schema(SchemaMode.MIGRATE))
				.close());
			assertThat(problemsIn(thrown)).singleElement()
				.asString()
				.contains("'" + DURABLE + "'", "projector 'accounts'", "'" + identity(this.world.jdbcUrl()) + "'",
						"'" + identity(other) + "'", "another name");
			this.world.publish(World.ACME, "a", 1, 20);
			await().until(() -> this.world.version(World.ACME, "a") == 20);
			assertThat(owner.isActive()).isTrue();
		}
	}

	@Test
	void adoptsADurableThatIsNobodys() {
		exists(DURABLE, (durable) -> durable.metadata(Map.of("team", "payments")));
		try (AnnotationConfigApplicationContext application = start()) {
			assertThat(application.isActive()).isTrue();
			assertThat(durable().getMetadata()).containsEntry("team", "payments")
				.containsEntry("eventing-schema", identity(this.world.jdbcUrl()));
		}
	}

	@Test
	void standsStillOnceItsDurableBecomesAnotherDatabases() {
		try (AnnotationConfigApplicationContext application = start()) {
			String other = UUID.randomUUID().toString();
			this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(),
					ConsumerConfiguration.builder(durable()).metadata(Map.of("eventing-schema", other)).build()));
			await().untilAsserted(() -> {
				ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
				assertThat(status.state()).isEqualTo(ProjectorState.FAILED);
				assertThat(status.detail()).contains("'" + other + "'");
			});
		}
	}

	@Test
	void startsWithoutWaitingForDeliveriesThatItCannotFetchAgain() {
		String other = this.world.root() + "-interest";
		this.world.jetStream((management) -> management.addStream(StreamConfiguration.builder()
			.name(other)
			.subjects(List.of(other + ".>"))
			.retentionPolicy(RetentionPolicy.Interest)
			.build()));
		ProjectorSettings settings = ProjectorSettings.builder().ackWait(Duration.ofSeconds(12)).build();
		try {
			takeOneAndVanish(other);
			Stopwatch watch = Stopwatch.start();
			try (AnnotationConfigApplicationContext application = World.start(this.world.natsUrl(),
					this.world.jdbcUrl(), other, WorldApplication.of(new Accounts()).with(settings))) {
				watch.stop().assertWithin(Duration.ofSeconds(10));
				await().until(() -> this.world.version(World.ACME, "a") == 3);
				assertThat(this.world.count("select count(*) from violations")).isZero();
				assertThat(application.isActive()).isTrue();
			}
		}
		finally {
			this.world.jetStream((management) -> management.deleteStream(other));
		}
	}

	/** A client that vanishes is given the first of three events. */
	private void takeOneAndVanish(String stream) {
		this.world.jetStream((management) -> {
			management.addOrUpdateConsumer(stream,
					ConsumerConfiguration.builder()
						.durable(DURABLE)
						.ackWait(Duration.ofSeconds(12))
						.filterSubject(stream + ".*.deposited")
						.build());
			for (long version = 1; version <= 3; version++) {
				this.world.publisher()
					.publish(stream + ".{tenant}.deposited", this.world.deposit(World.ACME, "a", version));
			}
			try (Connection connection = Nats.connect(this.world.natsUrl())) {
				JetStreamSubscription taken = connection.jetStream()
					.subscribe(null, PullSubscribeOptions.bind(stream, DURABLE));
				assertThat(taken.fetch(1, Patience.LONG)).hasSize(1);
			}
			return true;
		});
	}

	private static String identity(String jdbcUrl) {
		return new JdbcTemplate(TestServers.postgres().dataSource(jdbcUrl))
			.queryForObject("select id::text from eventing.schema_identity", String.class);
	}

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(new Accounts()));
	}

	private void exists(String name, UnaryOperator<ConsumerConfiguration.Builder> change) {
		ConsumerConfiguration configuration = change.apply(ConsumerConfiguration.builder().durable(name)).build();
		this.world.jetStream((management) -> management.addOrUpdateConsumer(this.world.stream(), configuration));
	}

	private ConsumerConfiguration durable() {
		return this.world.jetStream((management) -> management.getConsumerInfo(this.world.stream(), DURABLE))
			.getConsumerConfiguration();
	}

	private List<String> problemsOf(Object handlers) {
		Throwable thrown = catchThrowable(
				() -> this.world.start(WorldApplication.of(handlers).properties(Map.of("stream", this.world.stream())))
					.close());
		return problemsIn(thrown);
	}

	private static List<String> problemsIn(Throwable thrown) {
		assertThat(thrown).isNotNull().rootCause().isInstanceOf(ProjectorStartException.class);
		Throwable root = thrown;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return ((ProjectorStartException) root).problems();
	}

	static class ThreeProjectors {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "push")
		public void one(Deposited event) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "acks")
		public void two(Deposited event) {
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "policy")
		public void three(Deposited event) {
		}

	}

	static class NoStream {

		@ProjectorEventHandler(subject = "nowhere.${root}", projectorName = "nowhere")
		public void on(Deposited event) {
		}

	}

	static class MissingStream {

		@ProjectorEventHandler(subject = "nowhere.${root}", projectorName = "missing", stream = "missing-${root}")
		public void on(Deposited event) {
		}

	}

	static class OtherSubject {

		@ProjectorEventHandler(subject = "elsewhere.${root}", projectorName = "other", stream = "${stream}")
		public void on(Deposited event) {
		}

	}

	@Projector("both")
	static class TwoStreams {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event) {
		}

		@ProjectorEventHandler(subject = "second.${root}.{tenant}.withdrawn")
		public void on(Withdrawn event) {
		}

	}

	@Projector("overlapping")
	static class Overlapping {

		private final List<String> events = new CopyOnWriteArrayList<>();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.events.add("Deposited");
		}

		@ProjectorEventHandler(subject = "${root}.>")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			this.events.add("Withdrawn");
		}

	}

}
