package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G4: an event that fails with what looks like a disturbance, while the database is well.
 * It is found among its neighbours, and its attempts count.
 */
class G4OwnFailuresIT {

	/** Sorts on disk. */
	private static final String SORT = """
			select count(*) from (select x from generate_series(1, 200000) x order by random()) sorted""";

	/** That of a part, and then alone: once, and for six seconds again. */
	private static final int MOST_RUNS = 7;

	@AutoClose
	private final World world = World.create();

	private final AtomicInteger runs = new AtomicInteger();

	/** What a server that has just started does is an outage. */
	@BeforeEach
	void awaitAServerThatHasBeenUpForAWhile() {
		await().until(() -> this.world.count("""
				select count(*) where clock_timestamp() - pg_postmaster_start_time() > interval '7 s'""") == 1);
	}

	/** SQL state 53400. */
	@Test
	void countsAnAttemptOfAnEventThatNeedsMoreTemporaryFilesThanTheServerAllows() {
		limitTemporaryFiles();
		Accounts accounts = failing((jdbc) -> jdbc.queryForList(SORT, Long.class));
		countsOneAttemptOfTheBadOneAlone(accounts, "");
		assertThat(this.runs).hasValueBetween(1, 2);
	}

	@Test
	void countsAnAttemptOfSuchAnEventInABatchHandler() {
		limitTemporaryFiles();
		countsOneAttemptOfTheBadOneAlone(new Batch(this.runs), "");
		assertThat(this.runs).hasValueBetween(1, 10);
	}

	/** SQL state 55P03. */
	@Test
	void countsAnAttemptOfAnEventThatWaitsTooLongForALockAgainAndAgain() {
		this.world.setDefault("lock_timeout", "200ms");
		this.world.jdbc().execute("create table busy (n int)");
		Accounts accounts = failing((jdbc) -> jdbc.queryForList("select * from busy"));
		this.world.whileHolding("lock table busy", () -> countsOneAttemptOfTheBadOneAlone(accounts, ""));
		assertThat(this.runs).hasValueBetween(3, MOST_RUNS);
	}

	@Test
	void countsNoAttemptWhileALockIsHeldForSomeSeconds() {
		this.world.setDefault("lock_timeout", "200ms");
		this.world.jdbc().execute("create table busy (n int)");
		Accounts accounts = failing((jdbc) -> jdbc.queryForList("select * from busy"));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(oneAttempt()))) {
			this.world.whileHolding("lock table busy", () -> {
				this.world.publish(World.ACME, "bad", 1, 1);
				await().until(() -> this.runs.get() >= 3);
			});
			await().until(() -> this.world.version(World.ACME, "bad") == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** SQL state 08006, as a statement that takes longer than the driver waits. */
	@Test
	void countsAnAttemptOfAnEventWhoseStatementTakesLongerThanTheDriverWaits() {
		Accounts accounts = failing((jdbc) -> jdbc.execute("select pg_sleep(30)"));
		countsOneAttemptOfTheBadOneAlone(accounts, "&socketTimeout=1");
		assertThat(this.runs).hasValueBetween(3, MOST_RUNS);
	}

	/** SQL state 57P01, as of a session that somebody ends because it takes too long. */
	@Test
	void countsAnAttemptOfAnEventWhoseSessionIsEndedAgainAndAgain() {
		countsOneAttemptOfTheBadOneAlone(failing(World::endConnection), "");
		assertThat(this.runs).hasValueBetween(3, MOST_RUNS);
	}

	/** A network that cuts sessions twice in a row. */
	@Test
	void countsNoAttemptOfAnEventWhoseSessionIsEndedTwice() {
		AtomicInteger ended = new AtomicInteger();
		Accounts accounts = failing((jdbc) -> {
			if (ended.incrementAndGet() <= 2) {
				World.endConnection(jdbc);
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(accounts).with(oneAttempt()))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().until(() -> this.world.version(World.ACME, "bad") == 1);
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		}
		assertThat(this.world.deadLetters(Accounts.PROJECTOR)).isEmpty();
	}

	/** The repeats are those of the event, and not of each of its attempts. */
	@Test
	void repeatsAnEventOnlyInItsFirstAttempt() {
		ProjectorSettings threeAttempts = ProjectorSettings.builder()
			.maxDeliver(3)
			.retryDelay(Duration.ofMillis(10))
			.build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(failing(World::endConnection)).with(threeAttempts))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().until(() -> !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isEqualTo(3);
		}
		assertThat(this.runs).hasValueBetween(5, MOST_RUNS + 2);
	}

	private void limitTemporaryFiles() {
		this.world.setDefault("temp_file_limit", "64kB");
		this.world.setDefault("work_mem", "64kB");
	}

	private static ProjectorSettings oneAttempt() {
		return ProjectorSettings.builder().maxDeliver(1).concurrency(1).build();
	}

	/** Does something more with the event of one account. */
	private Accounts failing(Consumer<JdbcTemplate> action) {
		return new Accounts() {

			@Override
			public void on(Deposited event, UUID eventId, String tenantId) {
				if (event.account().equals("bad")) {
					G4OwnFailuresIT.this.runs.incrementAndGet();
					action.accept(this.jdbc);
				}
				super.on(event, eventId, tenantId);
			}

		};
	}

	/** Between events of other accounts, with which it is in one batch. */
	private void countsOneAttemptOfTheBadOneAlone(Object handler, String parameters) {
		this.world.publish(World.ACME, "a", 1, 60);
		this.world.publish(World.ACME, "bad", 1, 1);
		this.world.publish(World.ACME, "b", 1, 60);
		try (AnnotationConfigApplicationContext application = World.start(this.world.natsUrl(),
				this.world.jdbcUrl() + parameters, this.world.root(),
				WorldApplication.of(handler).with(oneAttempt()))) {
			await().until(() -> this.world.version(World.ACME, "b") == 60
					&& !this.world.deadLetters(Accounts.PROJECTOR).isEmpty());
			assertThat(World.status(application, Accounts.PROJECTOR).counts().failedAttempts()).isEqualTo(1);
		}
		List<DeadLetter> letters = this.world.deadLetters(Accounts.PROJECTOR);
		assertThat(letters).singleElement()
			.satisfies((letter) -> assertThat(letter.reason()).isEqualTo("ATTEMPTS_EXHAUSTED"));
		assertThat(this.world.version(World.ACME, "a")).isEqualTo(60);
		assertThat(this.world.version(World.ACME, "bad")).isZero();
		assertThat(this.world.count("select count(*) from violations")).isZero();
	}

	/** Takes all events of a part in one call. */
	static final class Batch {

		@Autowired
		private JdbcTemplate jdbc;

		private final AtomicInteger runs;

		Batch(AtomicInteger runs) {
			this.runs = runs;
		}

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = Accounts.PROJECTOR)
		public void on(List<Event<Deposited>> events) {
			if (events.stream().anyMatch((event) -> event.payload().account().equals("bad"))) {
				this.runs.incrementAndGet();
				this.jdbc.queryForList(SORT, Long.class);
			}
			events.forEach((event) -> World.apply(this.jdbc, event.payload(), event.tenantId().value()));
		}

	}

}
