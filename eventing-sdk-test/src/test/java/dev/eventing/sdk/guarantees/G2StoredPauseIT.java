package dev.eventing.sdk.guarantees;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.List;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.ledger.JdbcProjectors;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

/**
 * A pause is the database's: it holds wherever the projector runs, until it is resumed.
 */
class G2StoredPauseIT {

	/** Longer than a node needs to look. */
	private static final Duration LONG = Duration.ofMillis(2500);

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final String REASON = "the read model is being repaired";

	@AutoClose
	private final World world = World.create();

	/** As another process does, such as the command line. */
	private final Projectors operators = new JdbcProjectors(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void stopsAProjectorThatRunsElsewhereUntilItIsResumed(Source source) {
		Accounts accounts = new Accounts();
		try (AnnotationConfigApplicationContext application = start(accounts, source)) {
			add(source, 1, 2);
			awaitVersion(2);
			assertThat(pause()).isTrue();
			awaitPaused(application);
			add(source, 3, 5);
			assertThatItStaysAt(2);
			assertThat(this.operators.resume(Accounts.PROJECTOR, "bert", null)).isTrue();
			awaitVersion(5);
			assertThatNothingWasLostOrAppliedTwice(accounts, 5);
			await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void holdsAfterARestartOfTheApplication(Source source) {
		Accounts accounts = new Accounts();
		start(accounts, source).close();
		pause();
		add(source, 1, 3);
		try (AnnotationConfigApplicationContext application = start(accounts, source)) {
			awaitPaused(application);
			assertThatItStaysAt(0);
			this.operators.resume(Accounts.PROJECTOR, "bert", null);
			awaitVersion(3);
			assertThatNothingWasLostOrAppliedTwice(accounts, 3);
		}
	}

	/** It looks itself, however late the thread is that looks once a second. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void letsANodeThatTakesOverTakeNoEvent(Source source) {
		Accounts first = new Accounts();
		Accounts second = new Accounts();
		try (HikariDataSource pool = World.dataSource(this.world.jdbcUrl());
				AnnotationConfigApplicationContext owner = start(first, source)) {
			FaultyDataSource database = new FaultyDataSource(pool);
			add(source, 1, 2);
			awaitVersion(2);
			try (AnnotationConfigApplicationContext standby = this.world.start(
					application(second, source).customize((context) -> FaultyDataSource.install(context, database)))) {
				database.failFor("eventing-projector-controls", Integer.MAX_VALUE, new SQLException("of the test"));
				pause();
				awaitPaused(owner);
				add(source, 3, 5);
				owner.close();
				awaitPaused(standby);
				assertThatItStaysAt(2);
				assertThat(second.calls).isEmpty();
				database.failFor("eventing-projector-controls", 0, new SQLException("of the test"));
				this.operators.resume(Accounts.PROJECTOR, "bert", null);
				awaitVersion(5);
				assertThat(second.calledVersions("a")).containsExactly(3L, 4L, 5L);
				assertThat(this.world.count("select count(*) from violations")).isZero();
			}
		}
	}

	@Test
	void stopsEachOfTheNodesThatCompeteForEvents() {
		ProjectorSettings competing = ProjectorSettings.builder().ordering(Ordering.NONE).build();
		Accounts one = new Accounts();
		Accounts two = new Accounts();
		try (AnnotationConfigApplicationContext first = this.world.start(WorldApplication.of(one).with(competing));
				AnnotationConfigApplicationContext second = this.world
					.start(WorldApplication.of(two).with(competing))) {
			awaitRunning(first);
			awaitRunning(second);
			first.getBean(ProjectorRegistry.class).pause(Accounts.PROJECTOR, "anna", REASON);
			awaitPaused(first);
			awaitPaused(second);
			for (int account = 0; account < 10; account++) {
				this.world.publish(World.ACME, "a" + account, 1, 1);
			}
			Steady.holds(LONG, () -> one.calls.isEmpty() && two.calls.isEmpty());
			second.getBean(ProjectorRegistry.class).resume(Accounts.PROJECTOR);
			await().until(() -> this.world.count("select count(*) from account") == 10);
			assertThat(one.calls.size() + two.calls.size()).isEqualTo(10);
		}
	}

	@Test
	void takesEffectAtOnceWhereItIsRequestedAndSaysByWhomAndWhy() {
		try (AnnotationConfigApplicationContext application = start(new Accounts(), Source.EVENT_STORE)) {
			ProjectorRegistry registry = application.getBean(ProjectorRegistry.class);
			registry.pause(Accounts.PROJECTOR, "anna", REASON);
			ProjectorStatus status = registry.status(Accounts.PROJECTOR);
			assertThat(status.state()).isEqualTo(ProjectorState.PAUSED);
			assertThat(status.detail()).startsWith("paused by anna: " + REASON);
			registry.resume(Accounts.PROJECTOR);
			assertThat(registry.status(Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.RUNNING);
			String node = application.getBean(Leases.class).node();
			assertThat(this.operators.audit(Accounts.PROJECTOR))
				.extracting(ProjectionAuditEntry::action, ProjectionAuditEntry::actor, ProjectionAuditEntry::reason)
				.containsExactly(tuple(ProjectionAction.PAUSED, "anna", REASON),
						tuple(ProjectionAction.RESUMED, node, "requested by the application"));
		}
	}

	/** So that operators see when all is done, and a crash leaves little to do again. */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void savesTheProgressOfWhatItCompletes(Source source) {
		CountDownLatch free = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			awaitLatch(free);
			throw new Accounts.Refused();
		});
		ProjectorSettings oneAttempt = ProjectorSettings.builder().source(source).maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(oneAttempt).lease(LEASE))) {
			add(source, 1, 1);
			await().until(() -> accounts.calls.size() == 1);
			pause();
			awaitPaused(application);
			free.countDown();
			await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
			long place = this.world.deadLetters(Accounts.PROJECTOR).get(0).place().sequence();
			await()
				.until(() -> Objects.equals(this.operators.find(Accounts.PROJECTOR).orElseThrow().position(), place));
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.PAUSED);
		}
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void letsRedrivesRunOn() {
		boolean[] broken = { true };
		Accounts accounts = new Accounts((event) -> {
			if (broken[0]) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings oneAttempt = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(oneAttempt))) {
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
			pause();
			awaitPaused(application);
			broken[0] = false;
			this.world.operators().redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna"));
			awaitVersion(1);
			assertThat(World.status(application, Accounts.PROJECTOR).state()).isEqualTo(ProjectorState.PAUSED);
		}
	}

	private boolean pause() {
		return this.operators.pause(Accounts.PROJECTOR, "anna", REASON);
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, Source source) {
		return this.world.start(application(accounts, source));
	}

	private static WorldApplication application(Accounts accounts, Source source) {
		return WorldApplication.of(accounts).with(ProjectorSettings.builder().source(source).build()).lease(LEASE);
	}

	private void add(Source source, long from, long to) {
		if (source == Source.EVENT_STORE) {
			this.world.append(World.ACME, "a", from, to);
		}
		else {
			this.world.publish(World.ACME, "a", from, to);
		}
	}

	private void awaitVersion(long version) {
		await().until(() -> this.world.version(World.ACME, "a") == version);
	}

	private void assertThatItStaysAt(long version) {
		Steady.holds(LONG, () -> this.world.version(World.ACME, "a") == version);
	}

	private static void awaitRunning(AnnotationConfigApplicationContext application) {
		await().until(() -> World.status(application, Accounts.PROJECTOR).state() == ProjectorState.RUNNING);
	}

	private static void awaitPaused(AnnotationConfigApplicationContext application) {
		await().untilAsserted(() -> {
			ProjectorStatus status = World.status(application, Accounts.PROJECTOR);
			assertThat(status.state()).isEqualTo(ProjectorState.PAUSED);
			assertThat(status.detail()).startsWith("paused by anna: " + REASON);
		});
	}

	private void assertThatNothingWasLostOrAppliedTwice(Accounts accounts, long last) {
		List<Long> all = LongStream.rangeClosed(1, last).boxed().toList();
		assertThat(accounts.calledVersions("a")).isEqualTo(all);
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(last);
	}

}
