package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * The server ends the session of a handler that takes too long in its transaction. That
 * is about the event, and not an outage.
 */
@ExtendWith(OutputCaptureExtension.class)
class G5SlowTransactionIT {

	private static final String SLOW = "slow";

	@AutoClose
	private final World world = World.create();

	@ParameterizedTest
	@ValueSource(strings = { "idle_in_transaction_session_timeout", "transaction_timeout" })
	void isADeadLetterAfterOneRepeat(String timeout) {
		assumeThat(this.world.count("select count(*) from pg_settings where name = '" + timeout + "'"))
			.as("the server has the setting")
			.isEqualTo(1);
		CountDownLatch never = new CountDownLatch(1);
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals(SLOW)) {
					awaitQuietly(never);
				}
				super.on(event, eventId, tenantId);
			}
		};
		this.world.setDefault(timeout, "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			this.world.publish(World.ACME, "a", 1, 2);
			this.world.publish(World.ACME, SLOW, 1, 1);
			this.world.publish(World.ACME, "b", 1, 2);
			await().until(() -> this.world.version(World.ACME, "b") == 2);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED"));
			// perhaps once with others, then alone, and its one repeat
			assertThat(accounts.calledVersions(SLOW)).hasSizeBetween(2, 3);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(2);
			assertThat(application.isActive()).isTrue();
		}
	}

	/**
	 * Its lane stands for these two runs, and no longer. Neither the status nor the
	 * health nor the log blames the database.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "idle_in_transaction_session_timeout", "transaction_timeout" })
	void runsTwiceIfItIsAloneAndThenItsLaneIsFree(String timeout, CapturedOutput output) {
		assumeThat(this.world.count("select count(*) from pg_settings where name = '" + timeout + "'"))
			.as("the server has the setting")
			.isEqualTo(1);
		CountDownLatch began = new CountDownLatch(1);
		CountDownLatch never = new CountDownLatch(1);
		AtomicReference<AnnotationConfigApplicationContext> running = new AtomicReference<>();
		List<Status> meanwhile = new CopyOnWriteArrayList<>();
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals(SLOW)) {
					began.countDown();
					meanwhile.add(StruckThreads.health(running.get()).getStatus());
					awaitQuietly(never);
				}
				super.on(event, eventId, tenantId);
			}
		};
		this.world.setDefault(timeout, "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			running.set(application);
			await().until(() -> StruckThreads.health(application).getStatus().equals(Status.UP));
			this.world.publish(World.ACME, SLOW, 1, 1);
			await().until(() -> began.getCount() == 0);
			this.world.publish(World.ACME, "b", 1, 2);
			await().until(() -> this.world.version(World.ACME, "b") == 2);
			// its first run and its one repeat
			assertThat(accounts.calledVersions(SLOW)).containsExactly(1L, 1L);
			List<String> called = accounts.calls.stream().map(Deposited::account).toList();
			assertThat(called.lastIndexOf(SLOW)).isLessThan(called.indexOf("b"));
			assertThat(meanwhile).containsExactly(Status.UP, Status.UP);
			assertThat(output).doesNotContain("waits for its database")
				.containsOnlyOnce("took too long: PSQLException: FATAL: terminating connection due to");
			assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isEqualTo(1);
			await().until(() -> StruckThreads.health(application).getStatus().equals(Status.UP));
		}
	}

	/** Which event of the call was slow is not known. Halves would take as long again. */
	@Test
	void runsNoMoreOftenIfItIsOneOfManyOfABatchHandler() {
		Batches batches = new Batches();
		this.world.setDefault("idle_in_transaction_session_timeout", "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(batches).with(settings))) {
			this.world.publish(World.ACME, Batches.FIRST, 1, 1);
			await().until(() -> batches.began.getCount() == 0);
			this.world.publish(World.ACME, "a", 1, 20);
			this.world.publish(World.ACME, SLOW, 1, 1);
			this.world.publish(World.ACME, "b", 1, 20);
			await().until(() -> World.status(application, Accounts.PROJECTOR).inFlight() == 42);
			batches.free.countDown();
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::orderingKey, DeadLetter::reason)
				.containsExactly(SLOW, "ATTEMPTS_EXHAUSTED"));
			await().until(() -> this.world.version(World.ACME, "b") == 20);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(20);
			assertThat(batches.slow).hasSize(3).endsWith(1, 1);
			assertThat(batches.slow.get(0)).isGreaterThan(1);
			assertThat(this.world.count("select count(*) from violations")).isZero();
		}
	}

	/**
	 * Then the projector's own last step, or the commit, meets the end of the session.
	 */
	@ParameterizedTest
	@EnumSource(names = { "JETSTREAM", "EVENT_STORE" })
	void isADeadLetterIfTheHandlerIsSlowAfterItsLastStatement(Source source) {
		CountDownLatch never = new CountDownLatch(1);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals(SLOW)) {
				awaitQuietly(never);
			}
		});
		this.world.setDefault("idle_in_transaction_session_timeout", "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).concurrency(1).source(source).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			for (String account : List.of("a", SLOW, "b")) {
				if (source == Source.EVENT_STORE) {
					this.world.append(World.ACME, account, 1, 1);
				}
				else {
					this.world.publish(World.ACME, account, 1, 1);
				}
			}
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED"));
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			assertThat(accounts.calledVersions(SLOW)).hasSizeLessThanOrEqualTo(3);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
			assertThat(application.isActive()).isTrue();
		}
	}

	/** It would run for ever, and hold up all later redrives of the projector. */
	@Test
	void isParkedAgainIfItIsARedrive() {
		CountDownLatch never = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		Accounts accounts = new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals(SLOW) && runs.incrementAndGet() == 1) {
					throw new Accounts.Refused();
				}
				if (event.account().equals(SLOW)) {
					awaitQuietly(never);
				}
				super.on(event, eventId, tenantId);
			}
		};
		this.world.setDefault("idle_in_transaction_session_timeout", "700ms");
		ProjectorSettings settings = ProjectorSettings.builder().maxDeliver(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(settings))) {
			this.world.publish(World.ACME, SLOW, 1, 1);
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("ATTEMPTS_EXHAUSTED"));
			application.getBean(DeadLetters.class).redrive(RedriveRequest.of(DeadLetterFilter.ALL, "ops"));
			await().untilAsserted(() -> assertThat(this.world.deadLetters(Accounts.PROJECTOR)).singleElement()
				.extracting(DeadLetter::reason)
				.isEqualTo("REDRIVE_FAILED"));
			// its first run, the redrive, and the redrive's one repeat
			assertThat(runs).hasValue(3);
			this.world.publish(World.ACME, "a", 1, 1);
			await().until(() -> this.world.version(World.ACME, "a") == 1);
		}
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			assertThat(latch.await(Duration.ofMillis(1500).toMillis(), TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A batch handler whose first call lasts until it is let go, and is never idle. */
	static class Batches {

		static final String FIRST = "first";

		final CountDownLatch began = new CountDownLatch(1);

		final CountDownLatch free = new CountDownLatch(1);

		/** How many events each call had that had the slow one. */
		final List<Integer> slow = new CopyOnWriteArrayList<>();

		private final CountDownLatch never = new CountDownLatch(1);

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = Accounts.PROJECTOR)
		public void on(List<Event<Deposited>> events) {
			this.began.countDown();
			while (this.free.getCount() > 0) {
				this.jdbc.execute("select pg_sleep(0.05)");
			}
			if (events.stream().anyMatch((event) -> event.payload().account().equals(SLOW))) {
				this.slow.add(events.size());
				awaitQuietly(this.never);
			}
			events.forEach((event) -> World.apply(this.jdbc, event.payload(), event.tenantId().value()));
		}

	}

}
