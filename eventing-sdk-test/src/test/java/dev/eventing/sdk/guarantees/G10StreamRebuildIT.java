package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ReadModelRebuildingException;
import dev.eventing.sdk.test.timing.Patience;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/** G10: a rebuild in place, of a projector that reads JetStream. */
class G10StreamRebuildIT {

	private static final String DURABLE = Accounts.PROJECTOR + "-consumer";

	@AutoClose
	private final World world = World.create();

	private final StreamRebuilds rebuilds = new StreamRebuilds(this.world);

	@Test
	void fillsTheReadModelFromTheStreamWhileOthersArePublished() {
		this.rebuilds.publishAll(1, 20);
		this.rebuilds.publishTwice("twice", 1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 20);
			String durable = this.rebuilds.durable();
			this.world.jdbc().update("update account set total = -1");
			this.rebuilds.rebuild();
			this.rebuilds.publishAll(21, 40);
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.awaitVersions("public", 40);
			this.rebuilds.assertThatTheReadModelIsExact("public", 40);
			assertThat(this.world.count("select total from account where account = 'twice'")).isEqualTo(1);
			assertThat(this.rebuilds.detail()).startsWith("Generation 2 is filled from all events up to sequence ")
				.contains("of stream '" + this.world.stream() + "'");
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
			assertThat(this.rebuilds.durable()).isEqualTo(durable);
			assertThat(this.world.count("select count(*) from eventing.processed_events"))
				.isEqualTo(40L * StreamRebuilds.NAMES + 1);
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(3, ProjectionGeneration.Status.LIVE);
			this.rebuilds.assertThatTheReadModelIsExact("public", 40);
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/**
	 * A stop in the middle leaves the lanes where they are, and another node continues.
	 */
	@Test
	void goesOnAfterAStopAndSaysSoMeanwhile() throws InterruptedException {
		this.rebuilds.publishAll(1, 20);
		StreamAccounts first = new StreamAccounts();
		long all = 20L * StreamRebuilds.NAMES;
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(first)) {
			this.rebuilds.awaitVersions("public", 20);
			first.waits.put("a3", new CountDownLatch(1));
			this.rebuilds.rebuild();
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.REBUILDING);
			await().until(() -> this.world.count("select count(*) from account") > 0);
			assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.isEqualTo("filling the read model from stream '" + this.world.stream() + "', up to sequence " + all);
			await().until(() -> this.rebuilds.overview("filling").status().state().equals("REBUILDING"));
			assertThat(this.rebuilds.overview("filling").position()).isLessThan(all);
			ProjectorProgress progress = application.getBean(ProjectorProgress.class);
			assertThatExceptionOfType(ReadModelRebuildingException.class)
				.isThrownBy(() -> progress.awaitPosition(Accounts.PROJECTOR, 1, Patience.LONG));
			first.waits.remove("a3").countDown();
			first.unavailable.add("a3");
		}
		this.rebuilds.publishAll(21, 25);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.awaitVersions("public", 25);
			this.rebuilds.assertThatTheReadModelIsExact("public", 25);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	/** Claims of what other code has filled would leave these events out. */
	@Test
	void beginsAgainWithCodeThatHandlesSomethingElse() {
		this.rebuilds.publishAll(1, 10);
		StreamAccounts first = new StreamAccounts();
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(first)) {
			this.rebuilds.awaitVersions("public", 10);
			first.unavailable.add("a2");
			this.rebuilds.rebuild();
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.REBUILDING
					&& this.world.count("select count(*) from eventing.projection_claims") > 0);
		}
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new Wider())) {
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			assertThat(this.world.count(
					"select count(*) from eventing.projection_audit where action = 'REBUILD_BEGUN_AGAIN' and generation = 2"))
				.isEqualTo(1);
			this.rebuilds.assertThatTheReadModelIsExact("public", 10);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Servers before 2.12.5 refuse such filters from any reader of the stream. */
	@Test
	void fillsTheReadModelWhereSubjectsOfHandlersOverlap() {
		this.rebuilds.publishAll(1, 5);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new Overlapping())) {
			this.rebuilds.awaitVersions("public", 5);
			this.world.jdbc().update("update account set total = -1");
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.awaitVersions("public", 5);
			this.rebuilds.assertThatTheReadModelIsExact("public", 5);
			assertThat(application.isActive()).isTrue();
			this.rebuilds.assertThatNothingIsLeft();
		}
	}

	@Test
	void runsOpenLettersInOrderKeepsDiscardedOnesAndTakesEditedPayloads() {
		StreamAccounts accounts = new StreamAccounts();
		accounts.refused.addAll(Set.of("open", "discarded", "again", "edited"));
		this.rebuilds.publishAll(1, 3);
		List.of("open", "discarded", "again", "edited")
			.forEach((account) -> this.world.publish(World.ACME, account, 1, 1));
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			await().until(() -> this.world.deadLetters(Accounts.PROJECTOR).size() == 4);
			this.rebuilds.awaitVersions("public", 3);
			this.world.operators().discard(filter("discarded"), "anna", "a test order");
			this.world.operators()
				.edit(letter("edited").letterId(),
						"{\"account\":\"edited\",\"amount\":77,\"version\":1}".getBytes(StandardCharsets.UTF_8), "anna",
						"wrong amount");
			accounts.refused.removeAll(Set.of("open", "discarded", "edited"));
			this.rebuilds.rebuild();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.assertThatTheReadModelIsExact("public", 3);
			assertThat(this.world.version(World.ACME, "open")).isEqualTo(1);
			assertThat(this.world.version(World.ACME, "discarded")).isZero();
			assertThat(this.world.count("select total from account where account = 'edited'")).isEqualTo(77);
			assertThat(this.world.version(World.ACME, "again")).isZero();
			accounts.refused.clear();
			this.world.operators().redrive(RedriveRequest.of(filter("again"), "anna"));
			await().until(() -> this.world.version(World.ACME, "again") == 1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** What lies behind an event that waits may be applied already. */
	@Test
	void waitsUntilEachEventItHoldsIsSettled() {
		this.rebuilds.publishAll(1, 3);
		StreamAccounts accounts = new StreamAccounts();
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(accounts)) {
			this.rebuilds.awaitVersions("public", 3);
			accounts.unavailable.add("a0");
			this.rebuilds.publishAll(4, 6);
			await().until(() -> this.world.version(World.ACME, "a1") == 6);
			this.rebuilds.rebuild();
			await().until(() -> this.rebuilds.detail().startsWith("Not all events are settled"));
			assertThat(this.rebuilds.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			accounts.unavailable.clear();
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.awaitVersions("public", 6);
			this.rebuilds.assertThatTheReadModelIsExact("public", 6);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * Events that it has applied and reads again would count as applied in the new one.
	 */
	@Test
	void waitsUntilItHasReadAgainWhatItHadApplied() {
		assumeThat(this.world.pausesDurables()).as("the server pauses durables").isTrue();
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			long applied = applyBehindTheSavedFloor();
			this.world.jetStream((management) -> {
				ConsumerInfo durable = management.getConsumerInfo(this.world.stream(), DURABLE);
				return management.addOrUpdateConsumer(this.world.stream(),
						ConsumerConfiguration.builder(durable.getConsumerConfiguration())
							.filterSubjects(this.world.root() + ".none")
							.build());
			});
			await().until(() -> this.world.<Long>jetStream(
					(management) -> management.getConsumerInfo(this.world.stream(), DURABLE).getNumPending()) > 0);
			this.rebuilds.rebuild();
			await().until(() -> this.rebuilds.detail().startsWith("Not all events are settled"));
			this.world.jetStream((management) -> management.resumeConsumer(this.world.stream(), DURABLE));
			this.rebuilds.awaitStatus(2, ProjectionGeneration.Status.LIVE);
			this.rebuilds.publishAll(applied + 1, applied + 1);
			this.rebuilds.awaitVersions("public", applied + 1);
			this.rebuilds.assertThatTheReadModelIsExact("public", applied + 1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** Until the durable is paused with events settled behind the floor that is saved. */
	private long applyBehindTheSavedFloor() {
		AtomicLong version = new AtomicLong();
		await().until(() -> {
			long next = version.incrementAndGet();
			this.rebuilds.publishAll(next, next);
			this.rebuilds.awaitVersions("public", next);
			await().until(() -> this.world.hasSettledAll(Accounts.PROJECTOR));
			ZonedDateTime until = ZonedDateTime.now(ZoneOffset.UTC).plusHours(1);
			this.world.jetStream((management) -> management.pauseConsumer(this.world.stream(), DURABLE, until));
			boolean behind = this.world.count(
					"select coalesce(max(floor), 0) from eventing.projector_positions") < this.rebuilds.lastSequence();
			if (!behind) {
				this.world.jetStream((management) -> management.resumeConsumer(this.world.stream(), DURABLE));
			}
			return behind;
		});
		return version.get();
	}

	@Test
	void refusesEachSettingThatMayDeleteEvents() {
		this.rebuilds.publishAll(1, 3);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new StreamAccounts())) {
			this.rebuilds.awaitVersions("public", 3);
			refuses("max_age", (settings) -> settings.maxAge(Duration.ofDays(400)),
					(settings) -> settings.maxAge(Duration.ZERO));
			refuses("max_msgs", (settings) -> settings.maxMessages(1_000_000), (settings) -> settings.maxMessages(-1));
			refuses("max_bytes", (settings) -> settings.maxBytes(1_000_000_000), (settings) -> settings.maxBytes(-1));
			refuses("max_msgs_per_subject", (settings) -> settings.maxMessagesPerSubject(1_000_000),
					(settings) -> settings.maxMessagesPerSubject(-1));
			refuses("allow_rollup_hdrs", (settings) -> settings.allowRollup(true),
					(settings) -> settings.allowRollup(false));
			this.world.jetStream((management) -> management.deleteMessage(this.world.stream(), 2));
			this.rebuilds.rebuild();
			this.rebuilds.awaitRefused("It has lost 1 of the 21 messages that it ever had.");
			this.rebuilds.build();
			this.rebuilds.awaitRefused("It has lost 1 of the 21 messages that it ever had.");
			assertThat(this.rebuilds.operators.generations(Accounts.PROJECTOR)).hasSize(1);
			this.rebuilds.assertThatTheReadModelIsExact("public", 3);
			assertThat(application.isActive()).isTrue();
		}
	}

	private void refuses(String setting, Function<StreamConfiguration.Builder, StreamConfiguration.Builder> change,
			Function<StreamConfiguration.Builder, StreamConfiguration.Builder> undo) {
		update(change);
		this.rebuilds.rebuild();
		this.rebuilds.awaitRefused("Stream '" + this.world.stream() + "' may lack events. Its " + setting + " ");
		update(undo);
	}

	private void update(Function<StreamConfiguration.Builder, StreamConfiguration.Builder> change) {
		this.world.jetStream((management) -> management.updateStream(change
			.apply(StreamConfiguration.builder(management.getStreamInfo(this.world.stream()).getConfiguration()))
			.build()));
	}

	@Test
	void refusesAProjectorForWhoseEventsNodesCompete() {
		this.world.publish(World.ACME, "a0", 1, 1);
		try (AnnotationConfigApplicationContext application = this.rebuilds.start(new Competing())) {
			await().until(() -> this.world.version(World.ACME, "a0") == 1);
			this.rebuilds.rebuild();
			this.rebuilds.awaitRefused("Nodes compete for the events of the projector (ordering = NONE)");
			assertThat(application.isActive()).isTrue();
		}
	}

	private static DeadLetterFilter filter(String account) {
		return DeadLetterFilter.ALL.withProjector(Accounts.PROJECTOR).withOrderingKey(account);
	}

	private DeadLetter letter(String account) {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.filter((letter) -> account.equals(letter.orderingKey()))
			.findFirst()
			.orElseThrow();
	}

	@Projector(value = Accounts.PROJECTOR, tables = "account")
	static class Competing extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", ordering = Ordering.NONE)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

	}

	/** Neither of its two subjects covers the other. */
	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Overlapping extends StreamAccounts {

		@ProjectorEventHandler(subject = "${root}.acme.>")
		public void on(Wider.Withdrawn event, UUID eventId, String tenantId) {
			throw new IllegalStateException("there is none");
		}

	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Wider extends RebuildSetup.Failing {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			apply(event, tenantId);
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.withdrawn")
		public void on(Withdrawn event, UUID eventId, String tenantId) {
			throw new IllegalStateException("there is none");
		}

		record Withdrawn(String account) {
		}

	}

}
