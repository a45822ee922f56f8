package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.store.AppendResult;
import dev.eventing.sdk.store.EventLog;
import dev.eventing.sdk.store.EventStore;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Projectors that read the event store keep what those that read JetStream keep. */
class StoreFedProjectorIT {

	private static final ProjectorSettings FROM_STORE = ProjectorSettings.builder().source(Source.EVENT_STORE).build();

	private static final String NOWHERE = "nats://127.0.0.1:1";

	private final CountDownLatch never = new CountDownLatch(1);

	@AutoClose
	private final World world = World.create();

	@Test
	void appliesEveryEventOnceInTheOrderOfPositionsWhoeverCommitsLate() throws SQLException {
		applyLateCommits(1);
		List<Long> positions = this.world.jdbc()
			.queryForList("""
					select e.global_position from applied a join eventing.events e using (event_id) order by a.seq""",
					Long.class);
		assertThat(positions).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void makesDeadLettersOfRowsThatCannotBeReadAndGoesOn() {
		this.world.append(World.ACME, "a", 1, 2);
		spoil("bad", "{\"source\": 7, \"headers\": 3}", "'{}'");
		spoil("large", "{\"source\": \"/test\"}", "to_jsonb(repeat('x', 34000000))");
		this.world.append(World.ACME, "a", 3, 4);
		try (AnnotationConfigApplicationContext application = start(new Accounts(), FROM_STORE)) {
			await().until(() -> this.world.version(World.ACME, "a") == 4);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == 6);
			List<DeadLetter> letters = this.world.deadLetters(Accounts.PROJECTOR);
			assertThat(letters).extracting(DeadLetter::reason)
				.containsExactly("UNREADABLE:STORED_ROW", "UNREADABLE:STORED_ROW");
			assertThat(letters).extracting((letter) -> letter.failure().message())
				.anySatisfy((message) -> assertThat(message).contains("at position 3", "its metadata is not what"))
				.anySatisfy((message) -> assertThat(message).contains("at position 4",
						"34000021 bytes as texts, and at most 33554432 are read"));
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
		}
	}

	/** Its category has a dot, and would move the tenant to another token. */
	@Test
	void countsAnEventWithoutAValidSubjectAsSkipped() {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), FROM_STORE)) {
			this.world.inTransaction((store) -> store.append(World.ACME, "a.b-1", ExpectedVersion.any(),
					NewEvent.of(new Deposited("a", 1, 1))));
			this.world.append(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().skipped()).isEqualTo(1);
		}
	}

	/** A row as no append leaves it. */
	private void spoil(String account, String metadata, String payload) {
		this.world.jdbc()
			.update("""
					insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
					       metadata, payload)
					values (gen_random_uuid(), 'acme', ?, 1, 'Deposited', now(), ?::jsonb, %s)"""
				.formatted(payload), this.world.storedStream(account), metadata);
	}

	@Test
	void appliesEveryStreamInTheOrderOfVersionsOnSeveralLanes() throws SQLException {
		applyLateCommits(3);
	}

	private void applyLateCommits(int lanes) throws SQLException {
		long seed = System.nanoTime();
		System.out.println("late commits: seed=" + seed + ", lanes=" + lanes);
		this.world.jdbc().execute("create table applied (seq bigserial, event_id uuid, account text, version bigint)");
		ProjectorSettings settings = ProjectorSettings.builder()
			.batchSize(7)
			.concurrency(lanes)
			.source(Source.EVENT_STORE)
			.build();
		try (Connection unrelated = this.world.jdbc().getDataSource().getConnection();
				AnnotationConfigApplicationContext application = this.world
					.start(WorldApplication.of(new Recorder()).with(settings).natsAt(NOWHERE))) {
			assertThat(application.isActive()).isTrue();
			unrelated.setAutoCommit(false);
			unrelated.createStatement().execute("create table unrelated (x int)");
			List<CompletableFuture<Void>> writers = new ArrayList<>();
			ExecutorService threads = Executors.newFixedThreadPool(6);
			for (int writer = 0; writer < 6; writer++) {
				Random random = new Random(seed + writer);
				writers.add(CompletableFuture.runAsync(() -> appendAndCommitLate(random), threads));
			}
			threads.shutdown();
			CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).join();
			long events = this.world.count("select count(*) from eventing.events");
			long head = this.world.count("select max(global_position) from eventing.events");
			await().until(() -> this.world.checkpoint("recorder") >= head);
			assertThat(this.world.count("select count(*) from applied")).isEqualTo(events);
			assertThat(this.world.count("select count(distinct event_id) from applied")).isEqualTo(events);
			assertThat(this.world.jdbc().queryForList("""
					select a.account from (select account, version,
					              lag(version, 1, 0::bigint) over (partition by account order by seq) as before
					              from applied) a
					 where a.version <> a.before + 1""")).isEmpty();
		}
	}

	/**
	 * One in six transactions rolls back, and of some the connection ends: their
	 * positions stay holes.
	 */
	private void appendAndCommitLate(Random random) {
		for (int round = 0; round < 170; round++) {
			boolean killed = random.nextInt(20) == 0;
			try {
				this.world.inTransaction((store) -> {
					int events = 1 + random.nextInt(3);
					AppendResult result = append(store, "s" + random.nextInt(8), events);
					passTime(random.nextInt(6));
					if (killed) {
						this.world.endConnection();
					}
					if (random.nextInt(6) == 0) {
						throw new Accounts.Refused();
					}
					return result;
				});
			}
			catch (Accounts.Refused ex) {
				passTime(random.nextInt(3));
			}
			catch (DataAccessException | TransactionException ex) {
				assertThat(killed).as("%s", ex).isTrue();
			}
		}
	}

	private AppendResult append(EventStore store, String account, int events) {
		List<NewEvent> all = new ArrayList<>();
		for (int i = 0; i < events; i++) {
			all.add(NewEvent.of(new Deposited(account, 0, 1)));
		}
		return store.append(World.ACME, this.world.storedStream(account), ExpectedVersion.any(), all);
	}

	@Test
	void triesAFailedEventAgainWhileOtherKeysGoOnAndTheCheckpointWaits() {
		Accounts accounts = new Accounts(this::refuseSecondOfA);
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(1000)
			.retryMultiplier(1.0)
			.source(Source.EVENT_STORE)
			.build();
		try (AnnotationConfigApplicationContext application = start(accounts, patient)) {
			AppendResult failing = this.world.append(World.ACME, "a", 1, 2);
			this.world.append(World.ACME, "a", 3, 4);
			AppendResult last = this.world.append(World.ACME, "b", 1, 20);
			await().until(() -> this.world.version(World.ACME, "b") == 20);
			await().until(() -> accounts.calledVersions("a").stream().filter((version) -> version == 2).count() > 2);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
			assertThat(this.world.checkpoint(Accounts.PROJECTOR)).isLessThan(failing.lastPosition());
			// two while the failed one is being tried
			await().until(() -> World.status(application, Accounts.PROJECTOR).waitingForRetry() == 3);
			this.never.countDown();
			await().until(() -> this.world.version(World.ACME, "a") == 4);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == last.lastPosition());
			assertThatNothingWasAppliedOutOfOrder();
		}
	}

	@Test
	void keepsAnEventThatFailsAlwaysAsADeadLetterWithItsPosition() {
		Accounts accounts = new Accounts(this::refuseSecondOfA);
		try (AnnotationConfigApplicationContext application = start(accounts, FROM_STORE)) {
			AppendResult failing = this.world.append(World.ACME, "a", 1, 2);
			AppendResult last = this.world.append(World.ACME, "a", 3, 3);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().deadLetters() == 1);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == last.lastPosition());
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 2);
			DeadLetter letter = this.world.deadLetters(Accounts.PROJECTOR).get(1);
			assertThat(letter.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(letter.place().stream()).isEqualTo("event-store");
			assertThat(letter.place().sequence()).isEqualTo(failing.lastPosition());
			assertThat(letter.event().subject()).isEqualTo(this.world.root() + ".acme.deposited");
			assertThat(letter.event().headers().first("ce-type")).isEqualTo("Deposited");
			assertThat(letter.event().headers().first("ce-sequence")).isEqualTo("2");
		}
	}

	private void refuseSecondOfA(Deposited event) {
		if (event.account().equals("a") && event.version() == 2 && this.never.getCount() > 0) {
			throw new Accounts.Refused();
		}
	}

	@Test
	void runsWhatAProcessDiedFromAloneWithItsAttemptCountedAheadAndTheRestInMarkedGroups() {
		this.world.append(World.ACME, "a", 1, 3);
		long begun = this.world.append(World.ACME, "b", 1, 2).lastPosition();
		this.world.append(World.ACME, "c", 1, 4);
		this.world.begun("attempts-seen", 1, begun);
		this.world.jdbc().update("""
				insert into eventing.projector_attempts (projector_name, tenant_id, event_id, attempts,
				       first_attempt_at, last_attempt_at)
				select 'attempts-seen', tenant_id, event_id, 0, now(), now() from eventing.events
				 where global_position = 3""");
		this.world.jdbc().execute("create table ahead (account text, version bigint, attempts bigint)");
		AttemptsSeen accounts = new AttemptsSeen();
		try (AnnotationConfigApplicationContext application = start(accounts, FROM_STORE)) {
			await().until(() -> World.status(application, "attempts-seen").counts().processed() == 8);
			assertThat(this.world.jdbc()
				.queryForList("select account || version || ':' || attempts from ahead order by 1", String.class))
				.containsExactly("a2:0", "a3:1", "b1:0", "b2:0", "c1:-1", "c2:-1", "c3:-1", "c4:-1");
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		}
		assertThat(this.world.count("select count(*) from eventing.projector_handouts where clean_stop")).isEqualTo(1);
	}

	/** Of 4,000 events that were handed out every second one was applied. */
	@Test
	void settlesAllThatADeadProcessWasHandedInAFewTransactions() {
		int events = 4000;
		this.world.jdbc()
			.update("""
					insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at,
					                             payload, metadata)
					select gen_random_uuid(), 'acme', ? || '-a' || (n / 40), n % 40 + 1, 'Deposited', now(),
					       jsonb_build_object('account', 'a' || (n / 40), 'version', n % 40 + 1, 'amount', 1), '{"source": "test"}'
					  from generate_series(0, ? - 1) n order by n""",
					this.world.root(), events);
		this.world.jdbc().update("""
				insert into eventing.processed_events (projector_name, event_id, tenant_id)
				select 'recorder', event_id, tenant_id from eventing.events where stream_version % 2 = 0""");
		this.world.begun("recorder", 0, this.world.count("select max(global_position) from eventing.events"));
		this.world.jdbc().execute("create table applied (event_id uuid, account text, version bigint)");
		long begin = System.nanoTime();
		try (AnnotationConfigApplicationContext application = start(new Recorder(), FROM_STORE)) {
			await().pollInterval(Duration.ofMillis(10)).until(() -> {
				ProjectorCounts counts = World.status(application, "recorder").counts();
				return counts.processed() + counts.duplicates() == events;
			});
			ProjectorCounts counts = World.status(application, "recorder").counts();
			System.out.printf("%d suspects in %d transactions, %d ms%n", events, counts.transactions(),
					Duration.ofNanos(System.nanoTime() - begin).toMillis());
			assertThat(counts.processed()).isEqualTo(events / 2);
			assertThat(counts.transactions()).isLessThan(150);
			assertThat(this.world.count("select count(distinct event_id) from applied")).isEqualTo(events / 2);
			assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		}
	}

	@Test
	void standsByWhileAnotherNodeOwnsItAndTakesOverWhenThatNodeStops() {
		Accounts one = new Accounts();
		Accounts two = new Accounts();
		AnnotationConfigApplicationContext first = start(one, FROM_STORE);
		try (AnnotationConfigApplicationContext second = start(two, FROM_STORE)) {
			await().untilAsserted(() -> {
				ProjectorStatus standby = World.status(second, Accounts.PROJECTOR);
				assertThat(standby.state()).isEqualTo(ProjectorState.STANDBY);
				assertThat(standby.detail()).contains("owns it since");
			});
			this.world.append(World.ACME, "a", 1, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			first.close();
			this.world.append(World.ACME, "a", 6, 9);
			Stopwatch.time(() -> await().until(() -> this.world.version(World.ACME, "a") == 9))
				.assertWithin(Duration.ofSeconds(5));
			await().until(() -> World.status(second, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			assertThat(one.calledVersions("a")).containsExactly(1L, 2L, 3L, 4L, 5L);
			assertThat(two.calledVersions("a")).containsExactly(6L, 7L, 8L, 9L);
		}
	}

	@Test
	void takesOverFromANodeThatCannotReachTheDatabaseAnyMore() {
		Accounts one = new Accounts();
		Accounts two = new Accounts();
		try (AnnotationConfigApplicationContext first = start(one, FROM_STORE);
				AnnotationConfigApplicationContext second = start(two, FROM_STORE)) {
			this.world.append(World.ACME, "a", 1, 5);
			await().until(() -> this.world.version(World.ACME, "a") == 5);
			first.getBean(HikariDataSource.class).close();
			this.world.append(World.ACME, "a", 6, 9);
			Stopwatch.time(() -> await().until(() -> this.world.version(World.ACME, "a") == 9))
				.assertWithin(Duration.ofSeconds(5));
			await().until(() -> World.status(second, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			assertThatNothingWasAppliedOutOfOrder();
		}
	}

	@Test
	void refusesToMoveACheckpointThatIsNotWhereItLeftIt() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, FROM_STORE)) {
			AppendResult last = this.world.append(World.ACME, "a", 1, 5);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == last.lastPosition());
			this.world.jdbc().update("update eventing.projector_checkpoints set position = 2");
			AppendResult next = this.world.append(World.ACME, "a", 6, 6);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) == next.lastPosition());
			assertThat(accounts.calledVersions("a")).as("the first call was rolled back")
				.containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 6L);
			assertThat(this.world.count("select epoch from eventing.leases where lease_name = 'projector/accounts'"))
				.as("it gave itself up")
				.isEqualTo(2);
			await().until(() -> World.status(application, Accounts.PROJECTOR).counts().duplicates() == 3);
			assertThatNothingWasAppliedOutOfOrder();
		}
	}

	@Test
	void needsNoNats() {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), FROM_STORE)) {
			this.world.append(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			assertThat(application.getBean(NatsClient.class).isConnected()).isFalse();
		}
	}

	@Test
	void isNotHeldUpByATransactionThatHasNothingToDoWithEvents() throws SQLException {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), FROM_STORE);
				Connection unrelated = this.world.jdbc().getDataSource().getConnection()) {
			assertThat(application.isActive()).isTrue();
			unrelated.setAutoCommit(false);
			unrelated.createStatement().execute("insert into account values ('other', 'x', 1, 1)");
			this.world.append(World.ACME, "a", 1, 3);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			unrelated.rollback();
		}
	}

	@Test
	void beginsBehindTheLastEventIfItIsToTakeNewOnes() {
		this.world.append(World.ACME, "a", 1, 3);
		ProjectorSettings fromNow = ProjectorSettings.builder()
			.deliverPolicy(DeliverPolicy.NEW)
			.source(Source.EVENT_STORE)
			.build();
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, fromNow)) {
			assertThat(application.isActive()).isTrue();
			this.world.append(World.ACME, "b", 1, 2);
			await().until(() -> this.world.version(World.ACME, "b") == 2);
			assertThat(accounts.calledVersions("a")).isEmpty();
		}
	}

	@Test
	void goesOnWhereItWasAfterAStop() {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, FROM_STORE)) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			for (int round = 0; round < 5; round++) {
				this.world.append(World.ACME, "a", 1 + 10 * round, 10 + 10 * round);
				registry.stop(Accounts.PROJECTOR);
				registry.start(Accounts.PROJECTOR);
			}
			await().until(() -> this.world.version(World.ACME, "a") == 50);
			assertThat(accounts.calls).hasSize(50);
		}
	}

	@Test
	void linksWhatAHandlerAppendsToTheEventThatCausedIt() {
		Answering answering = new Answering();
		try (AnnotationConfigApplicationContext application = start(answering, FROM_STORE)) {
			long position = this.world.append(World.ACME, "a", 1, 1).lastPosition();
			await().until(() -> this.world.checkpoint("answering") > position);
			EventLog log = application.getBean(EventLog.class);
			Event<?> cause = log.find(position).orElseThrow().event();
			Event<?> answer = log.find(position + 1).orElseThrow().event();
			assertThat(answer.causationId()).isEqualTo(cause.id().toString());
			assertThat(answer.correlationId()).isEqualTo(cause.id().toString());
		}
	}

	private void assertThatNothingWasAppliedOutOfOrder() {
		assertThat(this.world.jdbc().queryForList("select * from violations"))
			.isEqualTo(List.<Map<String, Object>>of());
	}

	private void passTime(long millis) {
		try {
			assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private AnnotationConfigApplicationContext start(Object handlers, ProjectorSettings settings) {
		return this.world
			.start(WorldApplication.of(handlers).with(settings).natsAt(NOWHERE).lease(Duration.ofSeconds(1)));
	}

	/** Keeps each event with its place in its stream. */
	static class Recorder {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "recorder")
		public void on(Event<Deposited> event) {
			this.jdbc.update("insert into applied (event_id, account, version) values (?, ?, ?)", event.id(),
					event.payload().account(), event.streamVersion());
		}

	}

	/** Keeps how many attempts were counted when it was called, -1 without a mark. */
	static class AttemptsSeen {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "attempts-seen")
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.jdbc.update("""
					insert into ahead select ?, ?, coalesce(sum(attempts), -1)
					  from eventing.projector_attempts where event_id = ?""", event.account(), event.version(),
					eventId);
		}

	}

	/** Appends an event of another category. */
	static class Answering {

		@Autowired
		private EventStore store;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "answering")
		public void on(Deposited event, UUID eventId, TenantId tenantId) {
			this.store.append(tenantId, "answers-" + event.account(), ExpectedVersion.any(), NewEvent.of(event));
		}

	}

}
