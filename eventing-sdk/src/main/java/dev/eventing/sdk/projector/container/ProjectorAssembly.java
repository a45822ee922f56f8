package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Objects;
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
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.attempt.Suspects;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.feed.Coverage;
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
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.projector.write.BatchWrites;
import dev.eventing.sdk.schema.SchemaIdentity;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The parts of a projector at work, made and connected: nothing runs yet. Makes them anew
 * for each start.
 */
final class ProjectorAssembly {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorCounters counters;

	private final OpenTransactions open;

	private final FencedTransactions transactions;

	private final EventTables tables;

	private final Supplier<BatchWrites> writes;

	private final ParkedKeys parkedKeys = new ParkedKeys();

	private final FollowerParking followers;

	private final InFlight inFlight;

	/** Where the projector reads the event store. */
	private final @Nullable Checkpoint checkpoint;

	/** Counted down when handlers are not waited for any longer. */
	private final CountDownLatch abandon = new CountDownLatch(1);

	private final Interrupts interrupts = new Interrupts(this.abandon);

	private final TransientFailures transientFailures;

	private final Lanes lanes;

	private final Intake intake;

	/** Where it is to hear of events that JetStream gives up. */
	private final @Nullable SupervisedWorker advisories;

	private final RedriveLoop redriveLoop;

	/** All its threads, and the one that calls for redrives of all projectors. */
	private final List<SupervisedWorker> workers;

	ProjectorAssembly(ProjectorEndpoint endpoint, ProjectorServices services, ProjectorThreads threads,
			RedrivePoll redrivePoll, ProjectorCounters counters, AtomicBoolean paused, ProjectorLease projectorLease) {
		this.endpoint = endpoint;
		this.services = services;
		this.counters = counters;
		ProjectorOptions options = endpoint.options();
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.open = new OpenTransactions(services.dataSource(), services.jdbc().handlerTimeout());
		this.transactions = new FencedTransactions(name(), services.transactionManager(), jdbc, projectorLease,
				this.open, services.jdbc().statementTimeout());
		this.tables = new EventTables(name(), services.processedEvents(),
				new JdbcAttempts(jdbc, services.schema(), name()));
		AdditionTargets targets = new AdditionTargets(jdbc);
		this.writes = () -> new BatchWrites(jdbc, targets);
		this.inFlight = new InFlight(name(),
				Math.min(options.flow().maxAckPending(), 2 * options.flow().batchSize() * options.flow().concurrency()),
				options.flow().maxAckPending(), options.flow().maxInFlightBytes());
		this.followers = new FollowerParking(name(), options.deadLetters(), this.transactions,
				new ParkedLetters(jdbc, services.schema()), this.tables.attempts(), this.parkedKeys);
		this.transientFailures = new TransientFailures(name(), jdbc, this.abandon);
		this.checkpoint = endpoint.readsEventStore() ? new Checkpoint(name(),
				new JdbcCheckpoints(jdbc, services.schema(), name()), new PrimaryHistory(jdbc), this.transactions)
				: null;
		this.lanes = new Lanes(name(), options.flow().concurrency(), this::lane, threads);
		CountDownLatch stopping = new CountDownLatch(1);
		FeedContext context = new FeedContext(endpoint, services, projectorLease, this.transactions,
				this.tables.attempts(), new SchemaIdentity(jdbc, services.schema()), stopping);
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
			HandlerTransaction handlers = new HandlerTransaction(this.tables, fenced, this.writes, (applied) -> {
			}, this.interrupts, this.counters);
			return new RedriveRunner(this.endpoint, ledger, fenced, handlers, decoder, this.transientFailures,
					this.counters);
		};
		return this.endpoint.hasOneOwner() ? RedriveLease.ofOwner(projectorLease, redrives)
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
		FailureHandler failureHandler = new FailureHandler(options, this.tables, this.transactions,
				this.services.deadLetters(), this.parkedKeys);
		HandlerTransaction transaction = new HandlerTransaction(this.tables, this.transactions, this.writes,
				this::moveCheckpoint, this.interrupts, this.counters);
		Suspects suspects = new Suspects(this.tables, this.transactions);
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

	OpenTransactions open() {
		return this.open;
	}

	CountDownLatch abandon() {
		return this.abandon;
	}

	TransientFailures transientFailures() {
		return this.transientFailures;
	}

	FollowerParking followers() {
		return this.followers;
	}

	InFlight inFlight() {
		return this.inFlight;
	}

	Lanes lanes() {
		return this.lanes;
	}

	Intake intake() {
		return this.intake;
	}

	RedriveLoop redriveLoop() {
		return this.redriveLoop;
	}

	@Nullable SupervisedWorker advisories() {
		return this.advisories;
	}

	List<SupervisedWorker> workers() {
		return this.workers;
	}

}
