package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.Durables.StreamLife;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Coverage.Plan;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.SchemaIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Makes a projector's durable ready to be pulled from, at the start and after every
 * interruption.
 *
 * <p>
 * Order needs care at two moments, because JetStream hands out new events at once and
 * those that were under way only when their ack wait ends. At a start that finds
 * unsettled deliveries, and after a lost connection that swallowed some, the durable is
 * put back to its floor and everything behind it comes again in stream order;
 * {@code processed_events} makes the repeats harmless. For the thread of the intake.
 */
public final class StreamStart {

	private static final Logger logger = LoggerFactory.getLogger(StreamStart.class);

	private static final Duration POLL = Duration.ofMillis(100);

	/** A position that has not moved is looked at again so often. */
	private static final Duration LOOK_AT_UNMOVED_EVERY = Duration.ofSeconds(15);

	/** Nodes that compete save their common place more often than this. */
	private static final Duration OTHERS_SAVE_WITHIN = Duration.ofSeconds(15);

	private static final int LOOKS_AT_A_CLEAN_STOP = 10;

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

	private final ProjectorEndpoint endpoint;

	private final NatsClient nats;

	private final Streams streams;

	private final Durables durables;

	private final ProjectorLease projectorLease;

	private final FencedTransactions transactions;

	private final SavedPlace place;

	private final Coverage coverage;

	private volatile boolean leavesToOthers;

	private final JdbcAttempts attempts;

	private final PrunedHistoryGuard prunedHistory;

	private final SchemaIdentity identity;

	private final CountDownLatch stopping;

	private final Clock clock;

	private volatile @Nullable DurableSpec spec;

	private boolean begun;

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	private final DeliverySequence deliveries;

	/** The database was set back, and what follows from that is not done yet. */
	private boolean setBack;

	private boolean quiet;

	private long quietUntil;

	private @Nullable Instant streamCreated;

	private volatile Incarnation incarnation = new Incarnation();

	/** What was saved last, and when by {@link System#nanoTime}. */
	private @Nullable DurableState saved;

	private long savedAt;

	StreamStart(FeedContext context, JdbcPositions positions, Coverage coverage) {
		this.coverage = coverage;
		this.endpoint = context.endpoint();
		this.nats = context.services().nats();
		this.streams = context.services().streams();
		this.durables = new Durables(this.nats);
		this.projectorLease = context.projectorLease();
		this.transactions = context.transactions();
		this.place = new SavedPlace(this.endpoint.name(), positions,
				new PrimaryHistory(new JdbcTemplate(context.services().dataSource())), this.transactions);
		this.attempts = context.attempts();
		this.prunedHistory = new PrunedHistoryGuard(context);
		this.identity = context.identity();
		this.stopping = context.stopping();
		this.clock = context.services().clock();
		this.deliveries = new DeliverySequence(isOrdered());
	}

	/** The durable as it was made ready last, or null. */
	@Nullable DurableSpec spec() {
		return this.spec;
	}

	PreviousOwnerState previousOwner() {
		return this.previousOwner;
	}

	/** The deliveries that arrived here. */
	DeliverySequence deliveries() {
		return this.deliveries;
	}

	/** The life of the stream that deliveries come from. */
	Incarnation incarnation() {
		return this.incarnation;
	}

	Coverage coverage() {
		return this.coverage;
	}

	/**
	 * Whether events on subjects that only other versions of the projector listen to are
	 * to be given back to these; else they are passed over, and read again by one that
	 * comes later.
	 */
	boolean leavesToOthers() {
		return this.leavesToOthers;
	}

	/**
	 * Whether nothing may be pulled yet: deliveries to somebody else are under way, and
	 * have to come first.
	 */
	boolean isQuiet() {
		this.quiet = this.quiet && System.nanoTime() - this.quietUntil < 0;
		return this.quiet;
	}

	private DurableSpec wanted() {
		this.nats.requireConnected();
		DurableSpec known = this.spec;
		String stream = this.streams.carrying(this.endpoint.name(),
				(known != null) ? known.stream() : this.endpoint.stream(), this.endpoint.filterSubjects());
		return specOf(this.endpoint, stream, this.identity.get().toString())
			.withFilterSubjects(this.coverage.subjects(stream));
	}

	DurableSpec makeReady() throws InterruptedException {
		DurableSpec wanted = wanted();
		boolean again = isSetBack(wanted.stream());
		Saved saved = this.place.known();
		Instant former = (saved != null) ? saved.streamCreated() : this.streamCreated;
		// before there is a durable again that would take settlements of the former one
		StreamLife life = this.durables.life(wanted);
		noticeStreamMadeAnew(life.created());
		DurableState standing = awaitEndOfRequests(wanted,
				this.durables.reconcile(wanted, (saved != null) ? saved.toFloor() : null));
		long floor = beginning(standing, saved, again);
		boolean anew = !standing.streamCreated().equals(former);
		Plan plan = (this.begun && !anew) ? this.coverage.resumed(floor) : this.coverage.plan(wanted.stream(), anew,
				floor, (subject) -> this.durables.beforeFirst(wanted, subject));
		long behind = isOrdered() ? Math.max(plan.from(), plan.settledTo()) : plan.from();
		this.prunedHistory.requireNone(() -> this.durables.firstBehind(wanted, behind), "durable '" + wanted.name()
				+ "' stands behind sequence " + behind + " of stream '" + wanted.stream() + "'");
		noticeStreamMadeAnew(standing.streamCreated());
		this.incarnation.setMaxAge(life.maxAge());
		if (!this.begun || anew) {
			if (!plan.catchesUpWith().isEmpty() && plan.from() == standing.floor()) {
				// before it is written down, for nothing else would tell that it was not
				// done
				rewind(wanted, standing, plan.from());
			}
			Instant next = this.durables.firstBehind(wanted, plan.from());
			Instant outstanding = (next != null) ? next : this.clock.instant();
			this.place.begin(standing, plan.from(), () -> {
				this.coverage.write(plan);
				this.attempts.forgetBefore(outstanding);
			});
			this.coverage.follow(plan);
			this.leavesToOthers = this.coverage.isNarrower(wanted.filterSubjects())
					&& (!isOrdered() || !this.durables.keepsWhatIsSettled(wanted));
		}
		if (!this.begun) {
			standing = begin(wanted, standing, plan, saved != null && saved.cleanStop());
			this.begun = true;
		}
		else if (floor < standing.floor()) {
			standing = rewind(wanted, standing, floor);
		}
		else {
			standing = fetchWhatWasLost(wanted, standing);
		}
		this.deliveries.resume(standing);
		this.setBack = false;
		this.spec = wanted;
		return wanted;
	}

	private void noticeStreamMadeAnew(Instant created) {
		if (!created.equals(this.streamCreated)) {
			this.incarnation.end();
			this.incarnation = new Incarnation();
			this.streamCreated = created;
			this.deliveries.restartAfter(0);
			this.previousOwner = new PreviousOwnerState(0, 0, this.previousOwner.waiting());
		}
	}

	/**
	 * Whether the database was set back while this node ran the projector. Where order is
	 * to be kept nothing that is in memory holds any more, and the projector is given up;
	 * where nodes compete, what is held is applied or recognised as it is.
	 */
	private boolean isSetBack(String stream) {
		try {
			this.place.look(stream);
		}
		catch (SetBackException ex) {
			if (isOrdered()) {
				throw this.transactions.giveUp(ex);
			}
			logger.warn("{}", ex.getMessage());
			this.setBack = true;
		}
		return this.setBack;
	}

	/**
	 * Behind which sequence to read: what the durable saw settled is not in a database
	 * that was set back. Its place is a little behind after a crash, too, and while other
	 * nodes compete; these compare it with what they saved themselves.
	 */
	private long beginning(DurableState standing, @Nullable Saved saved, boolean setBack) {
		boolean behind = saved != null && saved.streamCreated().equals(standing.streamCreated())
				&& saved.floor() < standing.floor();
		if (saved == null || !behind) {
			return standing.floor();
		}
		boolean othersWatch = !isOrdered() && saved.age().compareTo(OTHERS_SAVE_WITHIN) < 0;
		if (!setBack && (this.begun || othersWatch)) {
			return standing.floor();
		}
		logger.warn(
				"Projector '{}': durable '{}' stands behind sequence {} of stream '{}', but the database knows of {} only."
						+ " It was set back, or a process died before it saved its place. It is read again from there.",
				this.endpoint.name(), this.endpoint.durableName(), standing.floor(), standing.stream(), saved.floor());
		return saved.floor();
	}

	/**
	 * A request of a connection that the server has not seen the end of is still
	 * answered, into the void; what is delivered to it would be missed by none of the
	 * later ones.
	 */
	private DurableState awaitEndOfRequests(DurableSpec wanted, DurableState reconciled) throws InterruptedException {
		DurableState standing = reconciled;
		long deadline = System.nanoTime() + DurablePull.EXPIRES.toNanos();
		while (isOrdered() && standing.requests() > 0 && System.nanoTime() < deadline) {
			if (this.stopping.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
				break;
			}
			DurableState later = this.durables.find(wanted);
			standing = (later != null) ? later : standing;
		}
		return standing;
	}

	/**
	 * What a projector needs of its durable, on the stream that carries its subjects now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if none does
	 */
	public static DurableSpec specOf(ProjectorEndpoint endpoint, Streams streams) {
		return specOf(endpoint, streams.carrying(endpoint.name(), endpoint.stream(), endpoint.filterSubjects()), null);
	}

	/** What a projector needs of its durable. */
	private static DurableSpec specOf(ProjectorEndpoint endpoint, String stream, @Nullable String schema) {
		ProjectorOptions options = endpoint.options();
		return new DurableSpec(endpoint.name(), stream, endpoint.durableName(), endpoint.filterSubjects(),
				options.flow().ackWait(), options.flow().maxAckPending(), options.deliverPolicy() != DeliverPolicy.NEW,
				schema);
	}

	/** The first look at the durable in this process: what did the last one leave? */
	private DurableState begin(DurableSpec wanted, DurableState standing, Plan plan, boolean cleanStop) {
		long floor = plan.from();
		if (isOrdered()) {
			long suspectUpTo = (standing.unsettled() > 0 && !cleanStop) ? standing.delivered() : 0;
			this.previousOwner = PreviousOwnerState.of(standing.floor(),
					Math.max(suspectUpTo, this.previousOwner.suspectUpTo()), this.attempts.waiting());
			this.deliveries.restartAfter(standing.delivered());
			if (standing.unsettled() > 0) {
				logger.info("Projector '{}' finds {} unsettled deliveries{}; it reads on behind sequence {}.",
						this.endpoint.name(), standing.unsettled(),
						cleanStop ? "" : " of a process that did not stop in order", floor);
			}
		}
		boolean again = floor < standing.floor() || !plan.catchesUpWith().isEmpty()
				|| (isOrdered() && standing.unsettled() > 0);
		return again ? rewind(wanted, standing, floor) : standing;
	}

	/**
	 * After a lost connection or durable: deliveries that never arrived come again, in
	 * order.
	 */
	private DurableState fetchWhatWasLost(DurableSpec wanted, DurableState standing) {
		if (this.deliveries.isBehind(standing)) {
			logger.info("Projector '{}' missed deliveries up to sequence {}; it reads on behind sequence {}.",
					this.endpoint.name(), standing.delivered(), standing.floor());
			return rewind(wanted, standing, standing.floor());
		}
		return standing;
	}

	private DurableState rewind(DurableSpec wanted, DurableState standing, long floor) {
		this.projectorLease.requireCurrent();
		if (this.durables.rewind(wanted, floor)) {
			this.deliveries.restartAfter(floor);
		}
		else {
			if (floor < standing.floor()) {
				logger.warn("Projector '{}' cannot read again what lies behind sequence {} of stream '{}'.",
						this.endpoint.name(), floor, wanted.stream());
			}
			// what is under way comes back before anything new once its ack wait is over
			this.quietUntil = System.nanoTime() + wanted.ackWait().toNanos();
			this.quiet = true;
		}
		DurableState after = this.durables.find(wanted);
		return (after != null) ? after : standing;
	}

	private boolean isOrdered() {
		return this.endpoint.options().order().ordering() != Ordering.NONE;
	}

	/**
	 * Whether it was saved, and looked at, a moment ago. Where nodes compete it is done
	 * all the same: no lease tells them that the database is away.
	 */
	private boolean isSaved(DurableState standing) {
		DurableState last = this.saved;
		return last != null && isOrdered() && last.floor() == standing.floor()
				&& last.streamCreated().equals(standing.streamCreated())
				&& System.nanoTime() - this.savedAt < LOOK_AT_UNMOVED_EVERY.toNanos();
	}

	/**
	 * Saves where the durable stands, if it has moved, and looks whether the database has
	 * kept what was saved before.
	 */
	void save(boolean cleanStop) {
		DurableSpec current = this.spec;
		if (current == null) {
			return;
		}
		// where nodes compete, another one may save a later place meanwhile
		boolean again = !isOrdered() && isSetBack(current.stream());
		DurableState standing = cleanStop ? settled(current) : this.durables.find(current);
		if (standing == null || (!cleanStop && isSaved(standing))) {
			return;
		}
		again = isOrdered() ? isSetBack(current.stream()) : again;
		Saved stored = this.place.known();
		if (again && stored != null && stored.floor() < standing.floor()) {
			this.durables.rewind(current, stored.floor());
		}
		else {
			this.place.save(standing, cleanStop);
			this.coverage.settled(standing.floor());
			this.saved = standing;
			this.savedAt = System.nanoTime();
		}
		this.setBack = false;
	}

	/** The server may still be counting the last acknowledgements. */
	private @Nullable DurableState settled(DurableSpec current) {
		DurableState standing = this.durables.find(current);
		for (int look = 1; look < LOOKS_AT_A_CLEAN_STOP && standing != null && standing.unsettled() > 0; look++) {
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
			standing = this.durables.find(current);
		}
		return standing;
	}

}
