package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.PostgresServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that are killed at random moments, while an operator has a read model rebuilt
 * in place, built beside, switched to and fro and retired, of two nodes. Events come
 * meanwhile. Subclasses supply the events.
 */
abstract class OutageSetup {

	static final String PROJECTOR = "struck";

	/** Of each server. */
	private static final int KILLS = 5;

	private static final int WRITERS = 8;

	static final int ACCOUNTS = 2;

	private static final int BEFORE = 75;

	/** Milliseconds between two appends of a writer: each build reads them all again. */
	private static final long REST = 200;

	/** Of each generation, to it and back. */
	private static final int SWITCHES = 2;

	/** A kill may fail the request that is served, and the next one or two. */
	private static final int MOST_FAILED = 3 * 2 * KILLS;

	private static final String REASON = "kills follow";

	private static final Duration EXPIRY = Duration.ofSeconds(20);

	static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration LOOK = Duration.ofMillis(10);

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static NatsServer nats;

	private static PostgresServer postgres;

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	/** For the thread that strikes. */
	private final Random random = new Random(this.seed);

	private final CountDownLatch never = new CountDownLatch(1);

	@AutoClose
	final World world = World.on(nats, postgres);

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final Generations generations = new Generations(this.world, PROJECTOR);

	private final AtomicBoolean enough = new AtomicBoolean();

	private final Supplier<Object> handlers;

	private volatile Phase phase = Phase.NONE;

	private int done;

	private int failed;

	/**
	 * Two nodes with one projector.
	 * @param handlers the handlers of a node
	 */
	OutageSetup(Supplier<Object> handlers) {
		this.handlers = handlers;
	}

	@BeforeAll
	static void startServers() {
		nats = FIXTURE.opened(NatsServer.start());
		postgres = FIXTURE.opened(PostgresServer.start());
	}

	/**
	 * Appends or publishes the next event of each account of a writer, whichever server
	 * is away.
	 * @param version the version before
	 * @param pause how long it takes at least, in seconds
	 * @return the version that each account has now
	 */
	abstract int append(int writer, int version, double pause);

	/** The number of events so far. */
	abstract long events();

	/** Whether the live generation has settled all events. */
	abstract boolean isAtHead();

	/** Whether the read model shows all events. */
	abstract void assertThatAllEventsAreIn();

	/** Strikes, and looks for what must be so in the end. */
	void rebuildWhileServersAreKilled() throws Exception {
		System.out.println("crash.seed=" + this.seed);
		long begun = System.nanoTime();
		for (int writer = 0; writer < WRITERS; writer++) {
			for (int version = 0; version < BEFORE; version++) {
				append(writer, version, 0);
			}
		}
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 1);
		try (AnnotationConfigApplicationContext one = start(); AnnotationConfigApplicationContext two = start()) {
			awaitHead();
			List<Future<?>> writing = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				writing.add(threads.submit(() -> write(number)));
			}
			Future<?> striking = threads.submit((Callable<Boolean>) this::strike);
			while (!striking.isDone()) {
				rebuildBuildSwitchAndRetire();
			}
			striking.get();
			this.enough.set(true);
			for (Future<?> each : writing) {
				each.get();
			}
			rebuildBuildSwitchAndRetire();
			awaitHead();
			assertThat(one.isActive() && two.isActive()).isTrue();
			assertThatTheReadModelIsThatOfAllEvents();
			assertThatNothingIsLeft();
			System.out.printf(Locale.ROOT, "%d kills of each server, %d requests done, %d failed, %d events in %d s%n",
					KILLS, this.done, this.failed, events(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
		}
		finally {
			this.enough.set(true);
			threads.shutdown();
		}
	}

	// ---- What operators do ----

	private void rebuildBuildSwitchAndRetire() {
		rebuildInPlace();
		int switched = 0;
		while (switched < SWITCHES || beside().isPresent()) {
			ProjectionGeneration beside = beside().orElse(null);
			if (beside == null) {
				this.phase = Phase.BUILDING;
				request(() -> this.operators.rebuildBeside(PROJECTOR, "anna", REASON, EXPIRY));
			}
			else if (beside.status() == ProjectionGeneration.Status.BUILDING) {
				passTime(LOOK.toMillis());
			}
			else if (switched < SWITCHES) {
				this.phase = Phase.SWITCHING;
				switched += switchTo(beside.generation()) ? 1 : 0;
			}
			else {
				assertThatNothingIsViolated("public");
				assertThatNothingIsViolated(String.valueOf(beside.schema()));
				this.phase = Phase.RETIRING;
				request(() -> this.operators.retire(PROJECTOR, beside.generation(), "anna", REASON, EXPIRY));
			}
		}
		this.phase = Phase.NONE;
	}

	private void rebuildInPlace() {
		this.phase = Phase.IN_PLACE;
		request(() -> this.operators.rebuildInPlace(PROJECTOR, "anna", REASON, EXPIRY));
		patiently(() -> this.generations.all()
			.stream()
			.noneMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING) ? true : null);
	}

	private boolean switchTo(int generation) {
		return request(() -> this.operators.switchTo(PROJECTOR, generation, "anna", REASON, EXPIRY));
	}

	/** It is fed, whichever server is killed. */
	private Optional<ProjectionGeneration> beside() {
		Optional<ProjectionGeneration> found = patiently(this.generations::beside);
		assertThat(found.map(ProjectionGeneration::failure)).isEmpty();
		return found;
	}

	/** Returns whether it was done. */
	private boolean request(Runnable request) {
		try {
			request.run();
		}
		catch (DataAccessException | TransactionException ex) {
			// The database is away. Whether the request is stored is not known.
			patiently(() -> this.generations.status() != Status.PENDING ? true : null);
			return false;
		}
		catch (RequestRefusedException ex) {
			// Such as after one whose commit was not answered: it waits, or is done.
			System.out.println("refused: " + ex.getMessage());
			passTime(100);
			return false;
		}
		Status status = patiently(() -> {
			Status found = this.generations.status();
			return (found != Status.PENDING) ? found : null;
		});
		if (status == Status.DONE) {
			this.done++;
			return true;
		}
		this.failed++;
		System.out.println(status + ": " + patiently(this.generations::detail));
		assertThat(this.failed).as("requests that were not done").isLessThanOrEqualTo(MOST_FAILED);
		return false;
	}

	/** Asks until there is an answer, also while the database is away. */
	private static <T> T patiently(Callable<@Nullable T> question) {
		return Objects.requireNonNull(await().atMost(PATIENCE)
			.pollInterval(LOOK)
			.ignoreExceptionsInstanceOf(DataAccessException.class)
			.until(question, Objects::nonNull));
	}

	// ---- What strikes ----

	private boolean strike() {
		List<Boolean> strikes = new ArrayList<>();
		for (int kill = 0; kill < KILLS; kill++) {
			strikes.addAll(List.of(true, false));
		}
		Collections.shuffle(strikes, this.random);
		List<Phase> aims = List.of(Phase.BUILDING, Phase.SWITCHING, Phase.IN_PLACE, Phase.SWITCHING, Phase.RETIRING);
		for (int strike = 0; strike < strikes.size(); strike++) {
			Phase aim = aims.get(strike % aims.size());
			await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> this.phase == aim);
			passTime(this.random.nextInt(aim.longest));
			System.out.println((strikes.get(strike) ? "PostgreSQL" : "NATS") + " is killed while " + this.phase);
			if (strikes.get(strike)) {
				postgres.kill();
				postgres.restart();
			}
			else {
				nats.kill();
				nats.restart();
			}
		}
		return true;
	}

	final void passTime(long millis) {
		try {
			assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	// ---- What is appended ----

	private int write(int writer) {
		int version = BEFORE;
		while (!this.enough.get()) {
			version = append(writer, version, 0.03 * (writer + 1));
			passTime(REST);
		}
		return version;
	}

	// ---- What must be so in the end ----

	private AnnotationConfigApplicationContext start() {
		return this.world.start(WorldApplication.of(this.handlers.get()).lease(Duration.ofSeconds(2)));
	}

	private void awaitHead() {
		await().atMost(PATIENCE).ignoreExceptions().until(this::isAtHead);
	}

	private void assertThatNothingIsViolated(String schema) {
		assertThat(patiently(() -> this.world.jdbc().queryForList("select * from " + schema + ".violations")))
			.as(schema)
			.isEmpty();
	}

	private void assertThatTheReadModelIsThatOfAllEvents() {
		assertThatNothingIsViolated("public");
		assertThatAllEventsAreIn();
		assertThat(this.world.count("select count(*) from account")).isEqualTo((long) WRITERS * ACCOUNTS);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(events());
		assertThat(this.world.count("select count(*) from eventing.projection_requests where status = 'PENDING'"
				+ " and expires_at > clock_timestamp()"))
			.isZero();
	}

	void assertThatNothingIsLeft() {
		this.generations.assertThatNothingIsLeft();
	}

	/** The phases of a run, and the longest time in milliseconds until a strike. */
	private enum Phase {

		NONE(1), IN_PLACE(1200), BUILDING(1200), SWITCHING(1500), RETIRING(400);

		private final int longest;

		Phase(int longest) {
			this.longest = longest;
		}

	}

}
