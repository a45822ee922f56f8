package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A process that is killed at random moments, while an operator has its read model
 * rebuilt in place again and again. Events come meanwhile. Subclasses supply the events.
 */
abstract class KilledRebuildSetup {

	static final String PROJECTOR = "rebuilt";

	static final int ACCOUNTS = 5;

	private static final int KILLS = 20;

	private static final int WRITERS = 8;

	private static final int BEFORE = 150;

	/** Milliseconds between two appends of a writer: the last fill reads them all. */
	private static final long REST = 200;

	/** The longest time between the start of a process and its end. */
	private static final int LONGEST = 2000;

	private static final Duration PATIENCE = Patience.PROCESS;

	@RegisterExtension
	final ProjectorProcess projector;

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final AtomicBoolean enough = new AtomicBoolean();

	private final CountDownLatch never = new CountDownLatch(1);

	/**
	 * A process with one projector.
	 * @param handlers the class of its handlers
	 */
	KilledRebuildSetup(Class<?> handlers) {
		this.projector = ProjectorProcess.of(handlers);
	}

	/**
	 * Appends or publishes the next event of each account of a writer.
	 * @param pause how long it takes at least, in seconds
	 */
	abstract void append(int writer, int version, double pause);

	/** The number of events so far. */
	abstract long events();

	/** Whether the projector has settled all events. */
	abstract boolean isAtHead();

	/** Whether the read model shows all events. */
	abstract void assertThatAllEventsAreIn();

	/** Kills the process, and looks for what must be so in the end. */
	void rebuildWhileItsProcessIsKilled() throws Exception {
		System.out.println("crash.seed=" + this.seed);
		for (int writer = 0; writer < WRITERS; writer++) {
			for (int version = 0; version < BEFORE; version++) {
				append(writer, version, 0);
			}
		}
		this.projector.start(this.world);
		await().atMost(PATIENCE).until(this::isAtHead);
		ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
		int whileFilling = 0;
		try {
			List<Future<Integer>> written = new ArrayList<>();
			for (int writer = 0; writer < WRITERS; writer++) {
				int number = writer;
				written.add(writers.submit(() -> write(number)));
			}
			for (int kill = 0; kill < KILLS; kill++) {
				whileFilling += killOnce(kill % 2 == 0) ? 1 : 0;
			}
			this.enough.set(true);
			for (Future<Integer> each : written) {
				each.get();
			}
		}
		finally {
			this.enough.set(true);
			writers.shutdown();
		}
		this.projector.start(this.world);
		await().atMost(PATIENCE).until(() -> !isUnderWay() && isAtHead());
		System.out.printf("%d kills, %d while the read model was being filled, generations %s, %d events%n", KILLS,
				whileFilling, this.operators.generations(PROJECTOR).size(), events());
		assertThatTheReadModelIsThatOfAllEvents();
		assertThat(whileFilling).as("kills while the read model was being filled").isGreaterThanOrEqualTo(KILLS / 4);
	}

	/**
	 * Kills the process at a random moment.
	 * @param begun whether to wait first until the rebuild has begun
	 * @return whether the read model was being filled
	 */
	private boolean killOnce(boolean begun) {
		if (!isUnderWay()) {
			this.operators.rebuildInPlace(PROJECTOR, "test", "a kill follows", PATIENCE);
		}
		if (!this.projector.isAlive()) {
			this.projector.start(this.world);
			this.projector.awaitReady();
		}
		if (begun) {
			await().atMost(PATIENCE).until(() -> isFilling() || !isUnderWay());
		}
		assertThat(this.projector.awaitEnd(Duration.ofMillis(this.random.nextInt(LONGEST)))).isFalse();
		this.projector.kill();
		return isFilling();
	}

	private boolean isFilling() {
		return this.operators.generations(PROJECTOR)
			.stream()
			.anyMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING);
	}

	private boolean isUnderWay() {
		return this.operators.lastRequest(PROJECTOR)
			.filter((request) -> request.state().status() == ProjectionRequest.Status.PENDING)
			.isPresent()
				|| this.operators.generations(PROJECTOR)
					.stream()
					.anyMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING);
	}

	private int write(int writer) {
		int version = BEFORE;
		while (!this.enough.get()) {
			append(writer, version++, 0.02 * (writer + 1));
			passTime(REST);
		}
		return version;
	}

	final void passTime(long millis) {
		try {
			assertThat(this.never.await(millis, TimeUnit.MILLISECONDS)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void assertThatTheReadModelIsThatOfAllEvents() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThatAllEventsAreIn();
		assertThat(this.world.count("select count(*) from account")).isEqualTo((long) WRITERS * ACCOUNTS);
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projection_lanes")).isZero();
		assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(events());
	}

}
