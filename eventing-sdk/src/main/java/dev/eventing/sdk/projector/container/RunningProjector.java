package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.ledger.ParkedLetters;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.attempt.Suspects;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.attempt.TransientFailures.TransientFailure;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CurrentState;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.jetstream.AdvisoryFeed;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions;
import dev.eventing.sdk.projector.feed.jetstream.StreamFeed;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.feed.store.StoreFeed;
import dev.eventing.sdk.projector.lane.FailureHandler;
import dev.eventing.sdk.projector.lane.FollowerParking;
import dev.eventing.sdk.projector.lane.Lane;
import dev.eventing.sdk.projector.lane.LaneAttempt;
import dev.eventing.sdk.projector.lane.LaneParts;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.lane.ParkedKeys;
import dev.eventing.sdk.projector.redrive.RedriveLease;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.projector.redrive.RedriveRunner;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.projector.write.BatchWrites;
import dev.eventing.sdk.schema.SchemaIdentity;
import dev.eventing.sdk.worker.PeriodicTasks;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
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

	/**
	 * Threads that do not end within this, though interrupted, are left to themselves.
	 */
	private static final Duration ABANDON_WAIT = Duration.ofSeconds(2);

	private final ProjectorLease projectorLease;

	private final OpenTransactions open;

	private final FencedTransactions transactions;

	private final CountDownLatch abandon = new CountDownLatch(1);

	private final JdbcAttempts attempts;

	private final Supplier<BatchWrites> writes;

	private final ParkedKeys parkedKeys = new ParkedKeys();

	private final FollowerParking followers;

	private final InFlight inFlight;

	/** Where the projector reads the event store. */
	private final @Nullable Checkpoint checkpoint;

	private final TransientFailures transientFailures;

	private final Lanes lanes;

	private final Intake intake;

	/** Where it is to hear of events that JetStream gives up. */
	private final @Nullable SupervisedWorker advisories;

	private final RedriveLoop redriveLoop;

	private final Interrupts interrupts = new Interrupts(this.abandon);

	/** All its threads, and the one that calls for redrives of all projectors. */
	private final List<SupervisedWorker> workers;

	private volatile boolean ending;

	private PeriodicTasks.@Nullable Task signs;

	RunningProjector(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorThreads threads,
			RedrivePoll redrivePoll, ProjectorCounters counters, AtomicBoolean paused, ProjectorLease projectorLease) {
		this.endpoint = endpoint;
		this.services = services;
		this.threads = threads;
		this.counters = counters;
		this.projectorLease = projectorLease;
		ProjectorOptions options = endpoint.options();
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.open = new OpenTransactions(services.dataSource(), services.jdbc().handlerTimeout());
		projectorLease.onSilence(this::giveConnectionsUp);
		this.transactions = new FencedTransactions(name(), services.transactionManager(), jdbc, projectorLease,
				this.open, services.jdbc().statementTimeout());
		this.attempts = new JdbcAttempts(jdbc, services.schema(), name());
		AdditionTargets targets = new AdditionTargets(jdbc);
		this.writes = () -> new BatchWrites(jdbc, targets);
		this.inFlight = new InFlight(name(),
				Math.min(options.flow().maxAckPending(), 2 * options.flow().batchSize() * options.flow().concurrency()),
				options.flow().maxAckPending(), options.flow().maxInFlightBytes());
		this.followers = new FollowerParking(name(), options.deadLetters(), this.transactions,
				new ParkedLetters(jdbc, services.schema()), this.attempts, this.parkedKeys);
		this.transientFailures = new TransientFailures(name(), jdbc, this.abandon);
		this.checkpoint = endpoint.readsEventStore() ? new Checkpoint(name(),
				new JdbcCheckpoints(jdbc, services.schema(), name()), new PrimaryHistory(jdbc), this.transactions)
				: null;
		this.lanes = new Lanes(name(), options.flow().concurrency(), this::lane, threads);
		CountDownLatch stopping = new CountDownLatch(1);
		FeedContext context = new FeedContext(endpoint, services, projectorLease, this.transactions, this.attempts,
				new SchemaIdentity(jdbc, services.schema()), stopping);
		this.intake = new Intake(name(), feed(context, jdbc), stopping, paused);
		this.redriveLoop = new RedriveLoop(name(), redrivePoll, redriveRight(projectorLease, jdbc), threads);
		this.advisories = (services.deadLetterStream().captureAdvisories() && !endpoint.readsEventStore())
				? new AdvisoryFeed(context, this.inFlight, this.lanes).worker() : null;
		this.workers = Stream
			.concat(Stream.of(this.intake.worker(), this.redriveLoop.worker(), redrivePoll.worker(), this.advisories),
					this.lanes.workers().stream())
			.filter(Objects::nonNull)
			.toList();
	}

	private RedriveLease redriveRight(ProjectorLease projectorLease, JdbcTemplate jdbc) {
		RedriveLedger ledger = new RedriveLedger(jdbc, this.services.schema());
		DeliveryDecoder decoder = new DeliveryDecoder(this.endpoint, this.services.reader());
		Function<ProjectorLease, RedriveRunner> redrives = (right) -> {
			FencedTransactions fenced = new FencedTransactions(name(), this.services.transactionManager(), jdbc, right,
					this.open, this.services.jdbc().statementTimeout());
			HandlerTransaction handlers = new HandlerTransaction(name(), fenced, this.services.processedEvents(),
					this.attempts, this.writes, (applied) -> {
					}, this.interrupts, this.counters);
			return new RedriveRunner(this.endpoint, ledger, fenced, handlers, decoder, this.transientFailures,
					this.counters);
		};
		return this.endpoint.hasOneOwner() ? RedriveLease.ofOwner(name(), projectorLease, redrives)
				: RedriveLease.ofLease(name(), this.services.leases(), redrives);
	}

	private Feed feed(FeedContext context, JdbcTemplate jdbc) {
		Coverage coverage = new Coverage(this.endpoint, new JdbcCoverage(jdbc, this.services.schema(), name()),
				this.transactions);
		if (this.checkpoint != null) {
			return new StoreFeed(context, this.checkpoint, coverage, this.inFlight, this.lanes);
		}
		return new StreamFeed(context, new JdbcPositions(jdbc, this.services.schema(), name()), coverage, this.inFlight,
				this.lanes);
	}

	private String name() {
		return this.endpoint.name();
	}

	private Lane lane() {
		ProjectorOptions options = this.endpoint.options();
		FailureHandler failureHandler = new FailureHandler(name(), options, this.transactions,
				this.services.processedEvents(), this.attempts, this.services.deadLetters(), this.parkedKeys);
		HandlerTransaction transaction = new HandlerTransaction(name(), this.transactions,
				this.services.processedEvents(), this.attempts, this.writes, this::moveCheckpoint, this.interrupts,
				this.counters);
		Suspects suspects = new Suspects(name(), this.transactions, this.services.processedEvents(), this.attempts);
		return new Lane(this.endpoint, this.inFlight,
				new LaneParts(this.followers, failureHandler,
						new LaneAttempt(transaction, failureHandler, this.transientFailures, suspects, this.inFlight),
						this.counters, this.interrupts));
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
			this.signs = this.threads.tasks()
				.every("Keeping the deliveries of projector '" + name() + "' alive",
						this.endpoint.options().flow().ackWait().dividedBy(SIGNS_PER_ACK_WAIT), this::showSignsOfLife);
		}
		this.lanes.start();
		this.redriveLoop.start();
		if (this.advisories != null) {
			this.advisories.start();
		}
		this.intake.worker().start();
	}

	/** Whoever waits for the database has waited for longer than another node does. */
	private void giveConnectionsUp() {
		int given = this.open.abort();
		if (given > 0) {
			logger.warn("Projector '{}' gives up {} connections: the database does not answer.", name(), given);
		}
	}

	private void showSignsOfLife() {
		this.inFlight.all().forEach((work) -> work.origin().inProgress());
	}

	/**
	 * What it is doing.
	 * @param ownersFailure why its owner does not look after it now, or null
	 */
	ProjectorStatus status(@Nullable WorkerFailure ownersFailure) {
		CurrentState.Entry own = state();
		CurrentState.Entry state = (ownersFailure != null && own.state() != ProjectorState.RESTARTING)
				? CurrentState.Entry.restarting(ownersFailure) : own;
		return new ProjectorStatus(name(), state.state(),
				state.detail() + this.followers.alarm() + this.inFlight.alarm(), state.since(), this.inFlight.size(),
				this.inFlight.waiting(), this.intake.pending(), this.counters.snapshot());
	}

	/** What its intake says, unless there is something in its way elsewhere. */
	private CurrentState.Entry state() {
		CurrentState.Entry state = this.intake.state();
		Optional<WorkerFailure> failure = this.workers.stream()
			.map(SupervisedWorker::failure)
			.filter(Objects::nonNull)
			.findFirst();
		if (failure.isPresent()) {
			return CurrentState.Entry.restarting(failure.get());
		}
		if (state.state() == ProjectorState.STOPPED && !this.ending) {
			return new CurrentState.Entry(ProjectorState.RESTARTING, "it ended without being stopped", state.since());
		}
		return (state.state() == ProjectorState.RUNNING) ? runningState(state) : state;
	}

	/**
	 * What hangs comes first: it does not go on by itself, as what waits for the database
	 * does, and that may wait for it.
	 */
	private CurrentState.Entry runningState(CurrentState.Entry state) {
		Stall stall = stall();
		if (stall != null && this.projectorLease.isCurrent()) {
			return new CurrentState.Entry(ProjectorState.STALLED, stall.describe(), Instant.now().minus(stall.lasts()));
		}
		TransientFailure transientFailure = this.transientFailures.current();
		if (transientFailure != null) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE, transientFailure.error(),
					transientFailure.since());
		}
		if (!this.projectorLease.isCurrent()) {
			return new CurrentState.Entry(ProjectorState.WAITING_FOR_DATABASE,
					"the lease was not renewed in time; until it is, nothing is taken in", state.since());
		}
		return state;
	}

	/** Where it stands still, or null; asks nobody. */
	@Nullable Stall stall() {
		Duration longest = this.transientFailures.withOutage(this.endpoint.options().flow().stalledAfter());
		if (this.ending || this.intake.state().state() != ProjectorState.RUNNING) {
			return null;
		}
		Stall lane = this.lanes.stall(longest);
		if (lane != null) {
			return lane;
		}
		Stall redrive = this.redriveLoop.stall(longest);
		if (redrive != null || this.transientFailures.current() != null) {
			return redrive;
		}
		SupervisedWorker reader = this.intake.worker();
		if (reader.sinceBeat().compareTo(longest) > 0) {
			return new Stall(reader.name(), "it reads nothing", reader.sinceBeat(), reader.stack());
		}
		Duration still = this.inFlight.standsStillFor();
		return (still.compareTo(longest) > 0) ? new Stall(name(),
				"none of the " + this.inFlight.size() + " events it holds is settled", still, List.of()) : null;
	}

	/**
	 * Stops in order: no more is taken in, what the lanes hold is done within the time,
	 * what was not begun is given back at once.
	 */
	void stop(Duration drain) throws InterruptedException {
		this.ending = true;
		this.intake.stop();
		this.redriveLoop.requestStop();
		long end = System.nanoTime() + drain.toNanos();
		endIntake(drain.dividedBy(2));
		if (this.advisories != null) {
			this.advisories.requestStop();
			this.advisories.join(left(end));
		}
		this.lanes.close();
		if (this.transientFailures.current() != null || !this.projectorLease.isCurrent()) {
			this.abandon.countDown();
			this.redriveLoop.worker().interrupt(); // it may wait for a connection
		}
		boolean drained = join(left(end));
		this.abandon.countDown();
		if (!drained) {
			logger.warn("Projector '{}' still runs a handler after {}; it is interrupted, and its event comes again.",
					name(), drain);
			this.lanes.interrupt();
			this.redriveLoop.worker().interrupt();
			this.open.abort();
			drained = join(ABANDON_WAIT);
			this.lanes.takeBackAttempts();
		}
		boolean hasRead = this.intake.worker().join(Duration.ZERO);
		if (!hasRead) {
			this.open.abort(); // the lanes have ended: what is open is the intake's
			hasRead = this.intake.worker().join(ABANDON_WAIT);
		}
		endSigns();
		this.lanes.drain().forEach(this::nak);
		if (hasRead) {
			save(drained && this.inFlight.size() == 0, left(end).plus(ABANDON_WAIT));
		}
	}

	/** It may wait for a connection, which takes as long as the pool lets it. */
	private void endIntake(Duration wait) throws InterruptedException {
		if (!this.intake.worker().join(wait)) {
			this.intake.worker().interrupt();
			this.intake.worker().join(ABANDON_WAIT);
		}
	}

	/** On a thread of its own: whoever stops does not wait for a database for long. */
	private void save(boolean cleanStop, Duration wait) throws InterruptedException {
		Thread saving = new Thread(() -> this.intake.save(cleanStop), name() + "-save");
		saving.setDaemon(true);
		saving.start();
		saving.join(wait.toMillis());
		if (saving.isAlive()) {
			logger.warn("Projector '{}' stops without saving its position: the database does not answer.", name());
			saving.interrupt();
			this.open.abort();
		}
	}

	private static Duration left(long end) {
		return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
	}

	private boolean join(Duration wait) throws InterruptedException {
		long end = System.nanoTime() + wait.toNanos();
		boolean ended = this.lanes.join(wait);
		return this.redriveLoop.worker().join(left(end)) && ended;
	}

	/**
	 * Stops because another node owns the projector: what is under way cannot be
	 * committed any more, and nothing is sent that the other node would feel.
	 */
	void abandon() throws InterruptedException {
		this.ending = true;
		endSigns();
		this.intake.stop();
		this.redriveLoop.requestStop();
		this.lanes.drain().forEach(this.inFlight::remove);
		this.lanes.close();
		this.abandon.countDown();
		this.redriveLoop.worker().interrupt();
		this.lanes.interrupt();
		if (this.advisories != null) {
			this.advisories.requestStop();
		}
		this.open.abort();
		if (!join(ABANDON_WAIT)) {
			logger.warn("Projector '{}' still runs a handler; what it does cannot be committed any more.", name());
		}
		this.intake.worker().join(ABANDON_WAIT);
		this.lanes.drain().forEach(this.inFlight::remove);
	}

	private void nak(Work work) {
		work.origin().nak();
		this.inFlight.remove(work);
	}

	private void endSigns() {
		PeriodicTasks.Task current = this.signs;
		if (current != null) {
			current.cancel();
		}
	}

}
