package dev.eventing.sdk.projector;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.eventing.sdk.deadletter.ParkedLetters;
import dev.eventing.sdk.deadletter.RedriveLedger;
import dev.eventing.sdk.projector.Disturbances.Disturbance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A projector at work, from a start to a stop: an intake and its lanes, each on a thread
 * of its own.
 */
final class RunningProjector {

	private static final Logger logger = LoggerFactory.getLogger(RunningProjector.class);

	/** Unsettled deliveries show a sign of life this often within their ack wait. */
	private static final int SIGNS_PER_ACK_WAIT = 3;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorThreads threads;

	private final ProjectorCounters counters;

	/** A former owner's threads that do not end within this are left to themselves. */
	private static final Duration ABANDON_WAIT = Duration.ofSeconds(2);

	private final FencedTransactions transactions;

	private final CountDownLatch abandon = new CountDownLatch(1);

	private final JdbcAttempts attempts;

	private final Supplier<BatchWrites> writes;

	private final ParkedKeys parkedKeys = new ParkedKeys();

	private final Followers followers;

	private final InFlight inFlight;

	/** Where the projector reads the event store. */
	private final @Nullable Checkpoint checkpoint;

	private final Disturbances disturbances;

	private final Lanes lanes;

	private final Intake intake;

	private final Thread intakeThread;

	/** Where it is to hear of events that JetStream gives up. */
	private final @Nullable Thread advisories;

	private final Redriver redriver;

	private @Nullable ScheduledFuture<?> signs;

	RunningProjector(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorThreads threads,
			ProjectorCounters counters, AtomicBoolean paused, Tenure tenure) {
		this.endpoint = endpoint;
		this.services = services;
		this.threads = threads;
		this.counters = counters;
		ProjectorOptions options = endpoint.options();
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.transactions = new FencedTransactions(name(), services.transactionManager(), tenure);
		this.attempts = new JdbcAttempts(jdbc, services.schema(), name());
		AdditionTargets targets = new AdditionTargets(jdbc);
		this.writes = () -> new BatchWrites(jdbc, targets);
		this.inFlight = new InFlight(name(),
				Math.min(options.maxAckPending(), 2 * options.batchSize() * options.concurrency()),
				options.maxAckPending(), options.maxInFlightBytes());
		this.followers = new Followers(name(), options.deadLetters(), this.transactions,
				new ParkedLetters(jdbc, services.schema()), this.attempts, this.parkedKeys);
		this.disturbances = new Disturbances(name(), jdbc, this.abandon);
		this.checkpoint = endpoint.readsEventStore()
				? new Checkpoint(new JdbcCheckpoints(jdbc, services.schema(), name()), this.transactions) : null;
		this.lanes = new Lanes(name(), options.concurrency(), this::lane, threads);
		CountDownLatch stopping = new CountDownLatch(1);
		Reading reading = new Reading(endpoint, services, tenure, this.transactions, this.attempts, stopping);
		this.intake = new Intake(name(), feed(reading, jdbc), stopping, paused);
		this.redriver = new Redriver(name(), threads.redrivePoll(), redriveRight(tenure, jdbc), threads);
		this.intakeThread = new Thread(this.intake, name() + "-intake");
		this.advisories = (services.deadLetterStream().captureAdvisories() && !endpoint.readsEventStore())
				? new Thread(new AdvisoryFeed(reading, this.inFlight, this.lanes), name() + "-advisories") : null;
		// Virtual lanes are daemons: this thread keeps the JVM of a projector alive.
		this.intakeThread.setDaemon(false);
	}

	private RedriveRight redriveRight(Tenure tenure, JdbcTemplate jdbc) {
		RedriveLedger ledger = new RedriveLedger(jdbc, this.services.schema());
		Reception reception = new Reception(this.endpoint, this.services.reader());
		Function<Tenure, Redrives> redrives = (right) -> {
			FencedTransactions fenced = new FencedTransactions(name(), this.services.transactionManager(), right);
			HandlerTransaction handlers = new HandlerTransaction(name(), fenced, this.services.processedEvents(),
					this.attempts, this.writes, (applied) -> {
					});
			return new Redrives(this.endpoint, ledger, fenced, handlers, reception, this.disturbances, this.counters);
		};
		return this.endpoint.hasOneOwner() ? RedriveRight.ofOwner(name(), tenure, redrives)
				: RedriveRight.ofLease(name(), this.services.leases(), redrives);
	}

	private Feed feed(Reading reading, JdbcTemplate jdbc) {
		if (this.checkpoint != null) {
			return new StoreFeed(reading, this.checkpoint, this.inFlight, this.lanes);
		}
		return new StreamFeed(reading, new JdbcPositions(jdbc, this.services.schema(), name()), this.inFlight,
				this.lanes);
	}

	private String name() {
		return this.endpoint.name();
	}

	private Lane lane() {
		ProjectorOptions options = this.endpoint.options();
		Clock clock = this.services.clock();
		return new Lane(name(), options, new LaneQueue(clock, this.inFlight), this.inFlight,
				new HandlerTransaction(name(), this.transactions, this.services.processedEvents(), this.attempts,
						this.writes, this::moveCheckpoint),
				this.followers, new FailurePath(name(), options, this.transactions, this.services.processedEvents(),
						this.attempts, this.services.deadLetters(), this.parkedKeys),
				this.disturbances, this.counters, clock);
	}

	private void moveCheckpoint(List<Work> applied) {
		if (this.checkpoint != null) {
			this.checkpoint.moveWith(applied);
		}
	}

	/**
	 * Makes ready what it reads from, so that a mistake in configuration is found now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if a person must
	 * change something
	 */
	void prepare() throws InterruptedException {
		this.intake.prepare();
	}

	void start() {
		if (!this.endpoint.readsEventStore()) {
			long every = this.endpoint.options().ackWait().toMillis() / SIGNS_PER_ACK_WAIT;
			this.signs = this.threads.scheduler()
				.scheduleAtFixedRate(this::showSignsOfLife, every, every, TimeUnit.MILLISECONDS);
		}
		this.lanes.start();
		this.intakeThread.start();
		this.redriver.start();
		if (this.advisories != null) {
			this.advisories.setDaemon(true);
			this.advisories.start();
		}
	}

	private void showSignsOfLife() {
		this.inFlight.all().forEach((work) -> work.origin().inProgress());
	}

	ProjectorStatus status() {
		CurrentState.Entry state = this.intake.state();
		Disturbance disturbance = this.disturbances.current();
		if (disturbance != null && state.state() == ProjectorState.RUNNING) {
			state = new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE, disturbance.error(),
					disturbance.since());
		}
		return new ProjectorStatus(name(), state.state(),
				state.detail() + this.followers.alarm() + this.inFlight.alarm(), state.since(), this.inFlight.size(),
				this.inFlight.waiting(), this.intake.pending(), this.counters.snapshot());
	}

	/**
	 * Stops in order: no more is taken in, what the lanes hold is done within the time,
	 * what was not begun is given back at once.
	 */
	void stop(Duration drain) throws InterruptedException {
		this.intake.stop();
		this.redriver.stop();
		this.intakeThread.join(drain.toMillis());
		if (this.advisories != null) {
			this.advisories.join(drain.toMillis());
		}
		this.lanes.close();
		if (this.disturbances.current() != null) {
			this.abandon.countDown();
		}
		boolean drained = join(drain);
		this.abandon.countDown();
		if (!drained) {
			logger.warn("Projector '{}' still runs a handler after {}; it is interrupted, and its event comes again.",
					name(), drain);
			this.lanes.interrupt();
			this.redriver.interrupt();
			drained = join(drain);
		}
		endSigns();
		this.lanes.drain().forEach(this::giveBack);
		this.intake.save(drained && this.inFlight.size() == 0);
	}

	private boolean join(Duration wait) throws InterruptedException {
		boolean ended = this.lanes.join(wait);
		return this.redriver.join(wait) && ended;
	}

	/**
	 * Stops because another node owns the projector: what is under way cannot be
	 * committed any more, and nothing is sent that the other node would feel.
	 */
	void abandon() throws InterruptedException {
		endSigns();
		this.intake.stop();
		this.redriver.stop();
		this.redriver.interrupt();
		this.abandon.countDown();
		this.lanes.drain().forEach(this.inFlight::remove);
		this.lanes.close();
		this.lanes.interrupt();
		if (!join(ABANDON_WAIT)) {
			logger.warn("Projector '{}' still runs a handler; what it does cannot be committed any more.", name());
		}
		this.intakeThread.join(ABANDON_WAIT.toMillis());
		this.lanes.drain().forEach(this.inFlight::remove);
	}

	private void giveBack(Work work) {
		work.origin().giveBack();
		this.inFlight.remove(work);
	}

	private void endSigns() {
		ScheduledFuture<?> current = this.signs;
		if (current != null) {
			current.cancel(false);
		}
	}

}
