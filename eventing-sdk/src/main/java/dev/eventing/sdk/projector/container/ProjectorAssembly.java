package dev.eventing.sdk.projector.container;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.ledger.ParkedLetters;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveQueue;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.backfill.Backfill;
import dev.eventing.sdk.projector.backfill.BackfillClaims;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.effect.Handling;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.RefusedTexts;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.feed.BackfillHold;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import dev.eventing.sdk.projector.lane.FailureHandler;
import dev.eventing.sdk.projector.lane.FollowerParking;
import dev.eventing.sdk.projector.lane.Lane;
import dev.eventing.sdk.projector.lane.LaneAttempt;
import dev.eventing.sdk.projector.lane.LaneParts;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.lane.ParkedKeys;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.redrive.RedriveParts;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.projector.redrive.RedriveRunner;
import dev.eventing.sdk.projector.source.AdvisoryReader;
import dev.eventing.sdk.projector.source.EventSources;
import dev.eventing.sdk.projector.source.FeedParts;
import dev.eventing.sdk.projector.source.RunSource;
import dev.eventing.sdk.projector.suspect.Suspects;
import dev.eventing.sdk.projector.transaction.AfterCommit;
import dev.eventing.sdk.projector.transaction.Claims;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerCalls;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.LedgerClaims;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.projector.transaction.TenantTransactions;
import dev.eventing.sdk.projector.transaction.TransactionStep;
import dev.eventing.sdk.projector.write.AdditionTargets;
import dev.eventing.sdk.schema.SchemaIdentity;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Creates the parts of a projector and connects them. Starts nothing. One instance is for
 * one start.
 */
final class ProjectorAssembly {

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final ProjectorCounters counters;

	private final FailureText texts;

	private final OpenTransactions open;

	/** For the SDK's own records. */
	private final FencedTransactions transactions;

	/** For handlers. */
	private final FencedTransactions handling;

	private final TenantTransactions tenants;

	private final RunSource source;

	private final EventTables tables;

	private final AdditionTargets targets;

	private final ParkedKeys parkedKeys = new ParkedKeys();

	/** Null if the read model is not being filled. */
	private final @Nullable StoreFill fill;

	/** Null if no backfill is under way. */
	private final @Nullable BackfillClaims backfill;

	private final FollowerParking followers;

	private final InFlight inFlight;

	/** Null if the projector reads its durable. */
	private final @Nullable Checkpoint checkpoint;

	private final RunRecords records;

	/** Counted down when a stop no longer waits for handlers. */
	private final CountDownLatch abandon = new CountDownLatch(1);

	private final Interrupts interrupts = new Interrupts(this.abandon);

	private final AfterCommit afterCommit;

	private final TransientFailures transientFailures;

	private final RepeatedFailures repeated;

	private final Lanes lanes;

	private final Intake intake;

	private final RunEffects effects;

	/** Null if the source has no advisories, or they are not captured. */
	private final @Nullable AdvisoryReader advisories;

	/** What runs beside the intake and the lanes. */
	private final List<SupervisedWorker> helpers;

	/** The workers of {@link RedrivePoll} and {@link PauseSwitch}, for all projectors. */
	private final List<SupervisedWorker> shared;

	private final RedriveLoop redriveLoop;

	/** The projector's threads, and those that all projectors share. */
	private final List<SupervisedWorker> workers;

	ProjectorAssembly(ProjectorEndpoint endpoint, NodeParts node, PauseSwitch pause, ProjectorCounters counters,
			RunContext run) {
		ProjectorLease projectorLease = run.lease();
		ProjectorServices services = node.services();
		RedrivePoll redrivePoll = node.redrivePoll();
		this.endpoint = endpoint;
		this.services = services;
		this.counters = counters;
		this.texts = node.texts();
		ProjectorOptions options = endpoint.options();
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.open = new OpenTransactions(services.dataSource(), services.jdbc().handlerTimeout());
		this.transactions = FencedTransactions.withoutHandlers(endpoint, services, projectorLease, this.open,
				run.steps());
		this.handling = handling(this.transactions, projectorLease, run.steps());
		this.tenants = TenantTransactions.of(endpoint, services);
		this.afterCommit = new AfterCommit(id(), endpoint.commits(), this.interrupts);
		this.effects = new RunEffects(endpoint, services, run, jdbc);
		this.fill = RunFill.of(run, endpoint, services, this.transactions, this.effects);
		this.backfill = BackfillClaims.of(run.backfill(), id(), services, jdbc);
		this.source = EventSources.forRun(endpoint, services, run.filling());
		this.tables = new EventTables(id(), claims(), new JdbcAttempts(jdbc, services.schema(), id()),
				new RefusedTexts(id()));
		this.targets = new AdditionTargets(jdbc);
		this.inFlight = new InFlight(id(),
				Math.min(options.get(ProjectorSettings::maxAckPending),
						2 * options.get(ProjectorSettings::batchSize) * options.get(ProjectorSettings::concurrency)),
				options.get(ProjectorSettings::maxAckPending),
				options.get(ProjectorSettings::maxInFlightBytes).toBytes());
		this.followers = new FollowerParking(options.deadLetters(), this.transactions,
				new ParkedLetters(jdbc, services.schema()), this.tables, this.parkedKeys, this.fill == null);
		this.transientFailures = new TransientFailures(id(), jdbc, this.abandon);
		this.repeated = new RepeatedFailures(id(), options, pause::resumedAt);
		this.checkpoint = this.source.checkpoint(this.transactions);
		this.records = new RunRecords(this.tables.attempts(), this.fill, this.backfill, this.checkpoint);
		this.lanes = new Lanes(id(),
				(this.fill != null) ? this.fill.lanes() : options.get(ProjectorSettings::concurrency), this::lane,
				node.laneThreads());
		CountDownLatch stopping = new CountDownLatch(1);
		FeedContext context = new FeedContext(endpoint, services, projectorLease, this.transactions,
				this.tables.attempts(), new SchemaIdentity(jdbc, services.schema()), stopping, pause, counters,
				(run.backfill() != null) ? run.backfill() : BackfillHold.NONE);
		this.intake = new Intake(id(), feed(context, run.backfill(), jdbc), stopping,
				new Intake.Holds(pause, this.repeated, services.tableGuard()));
		this.redriveLoop = new RedriveLoop(id(), redrivePoll, redriveRight(projectorLease, jdbc), node.laneThreads(),
				services.tableGuard());
		this.advisories = this.source.advisories(context, this.inFlight, this.lanes);
		this.helpers = Stream
			.of((this.advisories != null) ? this.advisories.worker() : null,
					this.effects.due(this.transactions,
							(tenant, append) -> this.tenants.execute(this.handling, tenant, append), this.texts))
			.filter(Objects::nonNull)
			.toList();
		this.shared = List.of(redrivePoll.worker(), pause.worker());
		this.workers = Stream
			.of(List.of(this.intake.worker(), this.redriveLoop.worker()), this.shared, this.helpers,
					this.lanes.workers())
			.<SupervisedWorker>flatMap(List::stream)
			.toList();
	}

	/**
	 * With handlers, a transaction may use the application's manager, which may ask for
	 * the tenant of the events.
	 */
	private FencedTransactions handling(FencedTransactions own, ProjectorLease lease, List<TransactionStep> steps) {
		return this.endpoint.options().hasOneTenant()
				? FencedTransactions.withHandlers(this.endpoint, this.services, lease, this.open, steps) : own;
	}

	private RedriveLoop.Right redriveRight(ProjectorLease projectorLease, JdbcTemplate jdbc) {
		RedriveLedger ledger = new RedriveLedger(jdbc, this.services.schema());
		RedriveQueue queue = new RedriveQueue(jdbc, this.services.schema());
		DeliveryDecoder decoder = new DeliveryDecoder(this.endpoint, this.services.reader());
		Function<ProjectorLease, RedriveRunner> redrives = (right) -> {
			FencedTransactions fenced = FencedTransactions.withoutHandlers(this.endpoint, this.services, right,
					this.open);
			// Letters are claimed in the ledger, also while a backfill holds their
			// events.
			EventTables letters = new EventTables(id(), new LedgerClaims(id(), this.services.processedEvents()),
					this.tables.attempts(), this.tables.texts());
			HandlerTransaction handlers = handlerTransaction(handling(fenced, right, List.of()), letters,
					this.effects.ofRedrives());
			return new RedriveRunner(this.endpoint, ledger, queue, fenced,
					new RedriveParts(handlers, decoder, this.transientFailures, this.counters, this.texts));
		};
		if (this.fill != null) {
			return RedriveLoop.Right.none(redrives);
		}
		return this.endpoint.hasOneOwner() ? RedriveLoop.Right.ofOwner(projectorLease, redrives)
				: RedriveLoop.Right.ofLease(id(), this.services.leases(), redrives);
	}

	private Feed feed(FeedContext context, @Nullable Backfill beside, JdbcTemplate jdbc) {
		Coverage coverage = new Coverage(this.endpoint, new JdbcCoverage(jdbc, this.services.schema(), id()),
				this.transactions);
		return this.source.feed(new FeedParts(context, coverage, this.inFlight, this.lanes, this.checkpoint, this.fill,
				beside, handlerTransaction(this.handling, this.tables, this.effects.ofLanes())));
	}

	private Claims claims() {
		if (this.backfill != null) {
			return this.backfill;
		}
		return (this.fill != null) ? this.fill : new LedgerClaims(id(), this.services.processedEvents());
	}

	private HandlerTransaction handlerTransaction(FencedTransactions fenced, EventTables claimed, Handling calls) {
		return new HandlerTransaction(claimed, fenced, this.tenants,
				new HandlerCalls(this.targets, this.interrupts, calls), this.counters, this.afterCommit);
	}

	private ProjectorId id() {
		return this.endpoint.id();
	}

	private Lane lane() {
		ProjectorOptions options = this.endpoint.options();
		FailureHandler failureHandler = new FailureHandler(options, this.tables, this.transactions,
				this.services.deadLetters(), this.parkedKeys, this.records,
				new FailureHandler.Notices(this.texts, this.repeated));
		HandlerTransaction transaction = handlerTransaction(this.handling, this.tables, this.effects.ofLanes());
		Suspects suspects = new Suspects(this.tables, this.transactions);
		return new Lane(this.endpoint, this.inFlight,
				new LaneParts(
						this.followers, failureHandler, new LaneAttempt(transaction, this.records, failureHandler,
								this.transientFailures, suspects, this.inFlight),
						this.counters, this.interrupts, this.texts, this.repeated));
	}

	/** Whether it fills the read model, up to a position. */
	boolean isFilling() {
		return this.fill != null && this.fill.upTo() < Long.MAX_VALUE;
	}

	/** Whether the read model has been filled, so that the projector must start again. */
	boolean isFilled() {
		return this.fill != null && this.fill.isComplete();
	}

	/** Whether deliveries in flight need in-progress signals. */
	boolean awaitsSignals() {
		return this.source.awaitsSignals();
	}

	OpenTransactions open() {
		return this.open;
	}

	CountDownLatch abandon() {
		return this.abandon;
	}

	RepeatedFailures repeated() {
		return this.repeated;
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

	/** What operators must know of the advisories; or an empty text. */
	String advisoryAlarm() {
		return (this.advisories != null) ? this.advisories.alarm().get() : "";
	}

	RedriveLoop redriveLoop() {
		return this.redriveLoop;
	}

	List<SupervisedWorker> helpers() {
		return this.helpers;
	}

	List<SupervisedWorker> shared() {
		return this.shared;
	}

	List<SupervisedWorker> workers() {
		return this.workers;
	}

}
