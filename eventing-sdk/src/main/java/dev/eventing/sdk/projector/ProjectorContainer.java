package dev.eventing.sdk.projector;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import dev.eventing.sdk.projector.Disturbances.Disturbance;
import dev.eventing.sdk.projector.Intake.IntakeState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One projector at work: an intake and its lanes, each on a thread of its own. Can be
 * started and stopped again and again. Thread-safe.
 */
final class ProjectorContainer {

	private static final Logger logger = LoggerFactory.getLogger(ProjectorContainer.class);

	/** Unsettled deliveries show a sign of life this often within their ack wait. */
	private static final int SIGNS_PER_ACK_WAIT = 3;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ThreadFactory threads;

	private final ScheduledExecutorService scheduler;

	private final ProjectorCounters counters = new ProjectorCounters();

	/** Held while it starts or stops, which takes seconds; looking at it never waits. */
	private final ReentrantLock lifecycle = new ReentrantLock();

	private volatile @Nullable Running running;

	private final AtomicBoolean paused = new AtomicBoolean();

	ProjectorContainer(ProjectorEndpoint endpoint, ProjectorServices services, ThreadFactory threads,
			ScheduledExecutorService scheduler) {
		this.endpoint = endpoint;
		this.services = services;
		this.threads = threads;
		this.scheduler = scheduler;
	}

	String name() {
		return this.endpoint.name();
	}

	/**
	 * Starts it.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if stream or durable
	 * are not as it needs them
	 * @throws InterruptedException if the thread is to stop
	 */
	void start() throws InterruptedException {
		this.lifecycle.lockInterruptibly();
		try {
			if (this.running == null) {
				Running next = new Running();
				next.prepare();
				next.start();
				this.running = next;
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/**
	 * Stops it: no more is taken in, what the lanes hold is done within the time, what
	 * was not begun is given back at once.
	 */
	void stop(Duration drain) throws InterruptedException {
		this.lifecycle.lockInterruptibly();
		try {
			Running current = this.running;
			if (current != null) {
				current.stop(drain);
				this.running = null;
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	/** Takes in no more, or goes on; holds across a stop and a start. */
	void pause(boolean pause) {
		this.paused.set(pause);
	}

	ProjectorStatus status() {
		Running current = this.running;
		if (current == null) {
			return new ProjectorStatus(name(), ProjectorState.STOPPED, "stopped", Instant.EPOCH, 0, 0, 0,
					this.counters.snapshot());
		}
		IntakeState state = current.intake.state();
		Disturbance disturbance = current.disturbances.current();
		if (disturbance != null && state.state() == ProjectorState.RUNNING) {
			state = new IntakeState(ProjectorState.WAITING_FOR_DATABASE, disturbance.error(), disturbance.since());
		}
		return new ProjectorStatus(name(), state.state(), state.detail(), state.since(), current.inFlight.size(),
				current.inFlight.waiting(), current.intake.pending(), this.counters.snapshot());
	}

	/** What exists between a start and a stop. */
	private final class Running {

		private final CountDownLatch abandon = new CountDownLatch(1);

		private final InFlight inFlight;

		private final Disturbances disturbances;

		private final Intake intake;

		private final List<Lane> lanes = new ArrayList<>();

		private final List<Thread> laneThreads = new ArrayList<>();

		private final Thread intakeThread;

		private final ScheduledFuture<?> signs;

		Running() {
			ProjectorOptions options = ProjectorContainer.this.endpoint.options();
			ProjectorServices shared = ProjectorContainer.this.services;
			JdbcTemplate jdbc = new JdbcTemplate(shared.dataSource());
			JdbcAttempts attempts = new JdbcAttempts(jdbc, shared.schema(), name());
			this.inFlight = new InFlight(
					Math.min(options.maxAckPending(), 2 * options.batchSize() * options.concurrency()),
					options.maxAckPending());
			this.disturbances = new Disturbances(name(), jdbc, this.abandon);
			for (int number = 0; number < options.concurrency(); number++) {
				this.lanes.add(lane(options, shared, attempts));
				Thread thread = ProjectorContainer.this.threads.newThread(this.lanes.get(number));
				thread.setName(name() + "-lane-" + number);
				this.laneThreads.add(thread);
			}
			this.intake = new Intake(ProjectorContainer.this.endpoint, shared,
					new JdbcPositions(jdbc, shared.schema(), name()), attempts, this.inFlight, this::route,
					ProjectorContainer.this.paused);
			this.intakeThread = new Thread(this.intake, name() + "-intake");
			// Virtual lanes are daemons: this thread keeps the JVM of a projector alive.
			this.intakeThread.setDaemon(false);
			long every = options.ackWait().toMillis() / SIGNS_PER_ACK_WAIT;
			this.signs = ProjectorContainer.this.scheduler.scheduleAtFixedRate(this::showSignsOfLife, every, every,
					TimeUnit.MILLISECONDS);
		}

		private Lane lane(ProjectorOptions options, ProjectorServices shared, JdbcAttempts attempts) {
			TransactionTemplate transactions = new TransactionTemplate(shared.transactionManager());
			transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			Clock clock = shared.clock();
			return new Lane(name(), options, new LaneQueue(clock, this.inFlight), this.inFlight,
					new HandlerTransaction(name(), transactions, shared.processedEvents(), attempts),
					new FailurePath(name(), options, transactions, shared.processedEvents(), attempts,
							shared.deadLetters()),
					this.disturbances, ProjectorContainer.this.counters, clock);
		}

		/** The same key goes to the same lane always. */
		private void route(Work work) {
			int hash = (work.key() != null) ? work.key().hashCode()
					: Long.hashCode(work.delivery().position().sequence());
			int spread = hash ^ (hash >>> 16);
			this.lanes.get(Math.floorMod(spread, this.lanes.size())).queue().add(work);
		}

		private void showSignsOfLife() {
			this.inFlight.all().forEach((work) -> work.delivery().inProgress());
		}

		void prepare() throws InterruptedException {
			try {
				this.intake.prepare();
			}
			catch (RuntimeException | InterruptedException ex) {
				this.signs.cancel(false);
				throw ex;
			}
		}

		void start() {
			this.laneThreads.forEach(Thread::start);
			this.intakeThread.start();
		}

		void stop(Duration drain) throws InterruptedException {
			this.intake.stop();
			this.intakeThread.join(drain.toMillis());
			this.lanes.forEach((lane) -> lane.queue().close());
			if (this.disturbances.current() != null) {
				this.abandon.countDown();
			}
			boolean drained = join(drain);
			this.abandon.countDown();
			if (!drained) {
				logger.warn(
						"Projector '{}' still runs a handler after {}; it is interrupted, and its event comes again.",
						name(), drain);
				this.laneThreads.forEach(Thread::interrupt);
				drained = join(drain);
			}
			this.signs.cancel(false);
			this.lanes.forEach((lane) -> lane.queue().drain().forEach(this::giveBack));
			this.intake.save(drained && this.inFlight.size() == 0);
		}

		private void giveBack(Work work) {
			work.delivery().giveBack();
			this.inFlight.remove(work);
		}

		private boolean join(Duration wait) throws InterruptedException {
			long deadline = System.nanoTime() + wait.toNanos();
			boolean ended = true;
			for (Thread thread : this.laneThreads) {
				long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
				thread.join(Math.max(1, left));
				ended &= !thread.isAlive();
			}
			return ended;
		}

	}

}
