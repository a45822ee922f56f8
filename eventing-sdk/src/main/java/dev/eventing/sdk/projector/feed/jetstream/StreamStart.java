package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import dev.eventing.sdk.nats.DurableGoneException;
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
import dev.eventing.sdk.projector.SetBackException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Coverage.Plan;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrimaryHistory;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.feed.jetstream.LostTail.Rest;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.relay.RelayProgress;
import dev.eventing.sdk.schema.SchemaIdentity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Makes a projector's durable ready to pull from, at the start and after every
 * interruption.
 *
 * <p>
 * JetStream delivers new events at once, but unsettled ones only after their ack wait.
 * This would break the order after a start that finds unsettled deliveries, and after a
 * lost connection on which deliveries were lost. In both cases the durable is rewound to
 * its floor, and delivers all later events again in stream order. Duplicates are harmless
 * because of {@code processed_events}. For the thread of the intake.
 */
public final class StreamStart {

	private static final Logger logger = LoggerFactory.getLogger(StreamStart.class);

	private static final Duration POLL = Duration.ofMillis(100);

	/** How often a floor that has not moved is compared with the database. */
	private static final Duration LOOK_AT_UNMOVED_EVERY = Duration.ofSeconds(15);

	/** Nodes that compete for events save their common floor more often than this. */
	private static final Duration OTHERS_SAVE_WITHIN = Duration.ofSeconds(15);

	private static final int LOOKS_AT_A_CLEAN_STOP = 10;

	private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

	private final ProjectorEndpoint endpoint;

	private final NatsClient nats;

	private final Streams streams;

	private final Durables durables;

	private final FencedTransactions transactions;

	private final SavedPlace place;

	private final StorePosition storePosition;

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

	private final Rewinds rewinds;

	private final LostTail lostTail;

	/** Whether the database was set back, and the durable is not rewound yet. */
	private boolean setBack;

	/**
	 * Whether the durable's filter was changed by hand, or the durable made anew, and it
	 * is not rewound yet.
	 */
	private boolean changedByHand;

	private @Nullable Instant streamCreated;

	/**
	 * Earlier owners may have settled events up to here, in any order. The end of the
	 * stream when this node began to read it.
	 */
	private long metBefore = Long.MAX_VALUE;

	private volatile Incarnation incarnation = new Incarnation();

	/** What was saved last, and its {@link System#nanoTime} time. */
	private @Nullable DurableState saved;

	private long savedAt;

	StreamStart(FeedContext context, JdbcPositions positions, Coverage coverage) {
		this.coverage = coverage;
		this.endpoint = context.endpoint();
		this.nats = context.services().nats();
		this.streams = context.services().streams();
		this.durables = new Durables(this.nats);
		this.transactions = context.transactions();
		JdbcTemplate jdbc = new JdbcTemplate(context.services().dataSource());
		this.place = new SavedPlace(this.endpoint.id(), positions, new PrimaryHistory(jdbc), this.transactions);
		this.storePosition = new StorePosition(positions, new RelayProgress(jdbc, context.services().schema()),
				this.transactions, this.endpoint.options().deliverPolicy() != DeliverPolicy.NEW);
		this.attempts = context.attempts();
		this.prunedHistory = new PrunedHistoryGuard(context);
		this.identity = context.identity();
		this.stopping = context.stopping();
		this.clock = context.services().clock();
		this.deliveries = new DeliverySequence(isOrdered());
		this.rewinds = new Rewinds(this.endpoint.id(), context.projectorLease(), this.durables, this.deliveries);
		this.lostTail = new LostTail(this.endpoint.id(), this.durables, this.deliveries);
	}

	/** The durable as it was last made ready, or null. */
	@Nullable DurableSpec spec() {
		return this.spec;
	}

	PreviousOwnerState previousOwner() {
		return this.previousOwner;
	}

	/** The deliveries that arrived on this node. */
	DeliverySequence deliveries() {
		return this.deliveries;
	}

	/** The incarnation of the stream that deliveries come from. */
	Incarnation incarnation() {
		return this.incarnation;
	}

	Coverage coverage() {
		return this.coverage;
	}

	/**
	 * Whether events that only other versions of the projector listen to are nak'ed for
	 * these. Otherwise they are acked, and a later version reads them again.
	 */
	boolean leavesToOthers() {
		return this.leavesToOthers;
	}

	/**
	 * Whether nothing may be pulled yet, because deliveries to another process must be
	 * redelivered first; see {@link Rewinds}.
	 */
	boolean isQuiet() {
		return this.rewinds.isQuiet();
	}

	private DurableSpec wanted() {
		this.nats.requireConnected();
		DurableSpec known = this.spec;
		String stream = this.streams.carrying(this.endpoint.name(),
				(known != null) ? known.stream() : this.endpoint.stream(), this.endpoint.filterSubjects());
		return DurableSpecs.of(this.endpoint, stream, this.identity.get().toString())
			.withFilterSubjects(this.coverage.subjects(stream));
	}

	DurableSpec makeReady() throws InterruptedException {
		DurableSpec wanted = wanted();
		boolean wasSetBack = isSetBack(wanted.stream());
		noticeOtherFilter();
		this.storePosition.forget();
		Saved saved = this.place.known();
		Instant former = (saved != null) ? saved.streamCreated() : this.streamCreated;
		// before a new durable exists, which would accept settlements of the former one
		StreamLife life = this.durables.life(wanted);
		noticeStreamMadeAnew(life.created());
		DurableState reconciled = this.durables.reconcile(wanted, (saved != null) ? saved.toFloor() : null);
		this.changedByHand |= saved != null && reconciled.madeByHand();
		DurableState standing = awaitEndOfRequests(wanted, reconciled);
		boolean anew = !standing.streamCreated().equals(former);
		Continuation next = continuation(wanted, standing, saved, anew, wasSetBack);
		Plan plan = next.plan();
		requireRemembered(wanted, isOrdered() ? Math.max(plan.from(), plan.settledTo()) : plan.from());
		noticeStreamMadeAnew(standing.streamCreated());
		this.incarnation.setMaxAge(life.maxAge());
		if (next.begins()) {
			store(plan, wanted, standing);
		}
		DurableState ready = rewound(wanted, standing, next, saved != null && saved.cleanStop());
		if (next.lost()) {
			this.lostTail.accept(ready);
		}
		this.deliveries.resume(ready);
		this.setBack = false;
		this.changedByHand = false;
		this.spec = wanted;
		return wanted;
	}

	/**
	 * Decides where reading goes on, by what the server and the database know.
	 * @param anew whether the stream is another one than before
	 */
	private Continuation continuation(DurableSpec wanted, DurableState standing, @Nullable Saved saved, boolean anew,
			boolean wasSetBack) {
		long settledTo = anew ? 0 : this.coverage.settledTo(wanted.stream());
		boolean lost = this.lostTail.isNoticed(wanted, standing, saved, settledTo);
		Rest rest = lost ? this.lostTail.rest(wanted, standing, saved, settledTo) : Rest.all(standing);
		if (lost) {
			beginIncarnation();
		}
		long floor = Math.min(beginning(standing, saved, wasSetBack), rest.floor());
		boolean storedIsLost = lost && (settledTo > rest.end() || (saved != null && floor < saved.floor()));
		if (this.begun && !anew && !storedIsLost) {
			return new Continuation(this.coverage.resumed(floor), false, lost);
		}
		Plan plan = this.coverage
			.plan(wanted.stream(), anew, floor, (subject) -> this.durables.beforeFirst(wanted, subject))
			.endingWith(rest.end());
		return new Continuation(plan, true, lost);
	}

	/** Looks whether the filter was changed since the durable was made ready last. */
	private void noticeOtherFilter() {
		DurableSpec last = this.spec;
		if (last != null && isOrdered() && !this.changedByHand) {
			DurableState standing = this.durables.find(last);
			this.changedByHand = standing != null && standing.filteredOtherwise();
		}
	}

	/**
	 * While another filter holds, the floor passes over events that were not delivered.
	 * So it is not saved, and the durable is rewound to what was saved before. Nodes that
	 * compete may be of versions with different filters, so they only compare it when
	 * they make the durable ready.
	 * @throws DurableGoneException if the filter was changed by hand
	 */
	private void requireUnchanged(@Nullable DurableState standing) {
		if (standing != null && isOrdered() && standing.filteredOtherwise()) {
			this.changedByHand = true;
			throw new DurableGoneException("Durable '" + this.endpoint.durableName() + "' on stream '"
					+ standing.stream() + "' has another filter than the projector set.");
		}
		if (standing != null && standing.madeByHand()) {
			throw new DurableGoneException("Durable '" + this.endpoint.durableName() + "' on stream '"
					+ standing.stream() + "' was made anew by others.");
		}
	}

	/** Stores where reading begins, and which skipped events it reads again. */
	private void store(Plan plan, DurableSpec wanted, DurableState standing) {
		this.metBefore = standing.lastInStream();
		if (!plan.catchesUpWith().isEmpty() && plan.from() == standing.floor()) {
			// before the plan is saved: nothing else would show that it was not done
			this.rewinds.rewind(wanted, standing, plan.from());
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

	/** Returns the durable as it is pulled from: rewound, unless it stands right. */
	private DurableState rewound(DurableSpec wanted, DurableState standing, Continuation next, boolean cleanStop) {
		long from = next.plan().from();
		if (!this.begun) {
			DurableState first = begin(wanted, standing, next.plan(), cleanStop);
			this.begun = true;
			return first;
		}
		if (from < standing.floor() || next.lost() || standing.isAheadOfItsStream() || this.changedByHand) {
			return this.rewinds.rewind(wanted, standing, from);
		}
		return fetchWhatWasLost(wanted, standing);
	}

	private void noticeStreamMadeAnew(Instant created) {
		if (!created.equals(this.streamCreated)) {
			this.streamCreated = created;
			this.deliveries.forgetLatest();
			beginIncarnation();
		}
	}

	private void beginIncarnation() {
		this.incarnation.end();
		this.incarnation = new Incarnation();
		this.deliveries.restartAfter(0);
		this.previousOwner = new PreviousOwnerState(0, 0, this.previousOwner.waiting());
	}

	private void requireRemembered(DurableSpec wanted, long behind) {
		this.prunedHistory.requireNone(() -> this.durables.firstBehind(wanted, behind), "durable '" + wanted.name()
				+ "' reads after sequence " + behind + " of stream '" + wanted.stream() + "'");
	}

	/**
	 * Whether the database was set back while this node ran the projector. With order,
	 * everything in memory is invalid then, and the projector is given up. If nodes
	 * compete, the events in memory are applied, or are recognised as duplicates.
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
	 * Returns the sequence after which to read. A database that was set back lacks
	 * effects of events that the durable has settled. The saved floor is also a little
	 * lower than the durable's after a crash, and while other nodes compete. These nodes
	 * compare it with what they saved themselves.
	 */
	private long beginning(DurableState standing, @Nullable Saved saved, boolean setBack) {
		boolean same = saved != null && saved.streamCreated().equals(standing.streamCreated());
		if (saved == null || !same || (saved.floor() >= standing.floor() && !this.changedByHand)) {
			return standing.floor();
		}
		boolean othersWatch = !isOrdered() && saved.age().compareTo(OTHERS_SAVE_WITHIN) < 0;
		if (!setBack && !this.changedByHand && (this.begun || othersWatch)) {
			return standing.floor();
		}
		logger
			.warn("Projector '{}': durable '{}' has floor {} in stream '{}', but the database has only {}. It was set back,"
					+ " or a process died before it saved its floor, or the durable was changed by hand. The projector reads again after the lower one.",
					this.endpoint.name(), this.endpoint.durableName(), standing.floor(), standing.stream(),
					saved.floor());
		return saved.floor();
	}

	/**
	 * Waits until no request of a closed connection is open. The server may not know yet
	 * that the connection is closed. Then it still sends deliveries to it, which are
	 * lost, and which no later request would show as missing.
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
	 * Reads what the previous owner left, once after a start or a takeover. Rewinds the
	 * durable if necessary.
	 */
	private DurableState begin(DurableSpec wanted, DurableState standing, Plan plan, boolean cleanStop) {
		long floor = plan.from();
		if (isOrdered()) {
			long suspectUpTo = (standing.unsettled() > 0 && !cleanStop) ? standing.delivered() : 0;
			this.previousOwner = PreviousOwnerState.of(standing.floor(),
					Math.max(suspectUpTo, this.previousOwner.suspectUpTo()), this.attempts.waiting());
			this.deliveries.restartAfter(standing.delivered());
			if (standing.unsettled() > 0) {
				logger.info("Projector '{}' finds {} unsettled deliveries{}. It continues after sequence {}.",
						this.endpoint.name(), standing.unsettled(),
						cleanStop ? "" : " of a process that did not stop cleanly", floor);
			}
		}
		boolean again = floor < standing.floor() || this.changedByHand || this.lostTail.isNoticed()
				|| standing.isAheadOfItsStream() || !plan.catchesUpWith().isEmpty()
				|| (isOrdered() && standing.unsettled() > 0);
		return again ? this.rewinds.rewind(wanted, standing, floor) : standing;
	}

	/**
	 * Rewinds the durable if deliveries did not arrive, so that they come again in order.
	 */
	private DurableState fetchWhatWasLost(DurableSpec wanted, DurableState standing) {
		if (this.deliveries.isBehind(standing)) {
			logger.info("Projector '{}' missed deliveries up to sequence {}. It continues after sequence {}.",
					this.endpoint.name(), standing.delivered(), standing.floor());
			return this.rewinds.rewind(wanted, standing, standing.floor());
		}
		return standing;
	}

	private boolean isOrdered() {
		return this.endpoint.options().order().ordering() != Ordering.NONE;
	}

	/**
	 * Whether the floor was saved and compared a moment ago. Always false if nodes
	 * compete, because no lease tells them that the database is unreachable.
	 */
	private boolean isSaved(DurableState standing) {
		DurableState last = this.saved;
		return last != null && isOrdered() && last.floor() == standing.floor()
				&& last.streamCreated().equals(standing.streamCreated())
				&& System.nanoTime() - this.savedAt < LOOK_AT_UNMOVED_EVERY.toNanos();
	}

	/**
	 * Saves the floor of the durable if it has moved, and checks that the database has
	 * kept what was saved before.
	 * @return the durable as it is now, or null if that is not known
	 * @throws DurableGoneException if the stream has lost its end, or the filter of the
	 * durable was changed by hand, or others have made the durable
	 */
	@Nullable DurableState save(boolean cleanStop) {
		DurableSpec current = this.spec;
		if (current == null) {
			return null;
		}
		// if nodes compete, another one may save a higher floor meanwhile
		boolean again = !isOrdered() && isSetBack(current.stream());
		DurableState standing = cleanStop ? settled(current) : this.durables.find(current);
		this.lostTail.requireNone(standing, this.coverage.settledTo());
		requireUnchanged(standing);
		if (standing == null || (!cleanStop && !this.storePosition.isReached(standing) && isSaved(standing))) {
			return standing;
		}
		again = isOrdered() ? isSetBack(current.stream()) : again;
		Saved stored = this.place.known();
		if (again && stored != null && stored.floor() < standing.floor()) {
			requireRemembered(current, stored.floor());
			this.durables.rewind(current, stored.floor());
			this.storePosition.forget();
		}
		else {
			this.place.save(standing, cleanStop);
			this.storePosition.save(standing);
			this.coverage.settled(standing.floor());
			this.saved = standing;
			this.savedAt = System.nanoTime();
		}
		this.setBack = false;
		return standing;
	}

	/**
	 * The sequence up to which all events are settled, and no later one is, while nothing
	 * is read or in flight on this node. Null if that is not so: the server does not know
	 * yet of all that arrived here and was settled, or this node has not met all that an
	 * earlier owner may have settled.
	 */
	@Nullable Long settledTo() {
		DurableSpec current = this.spec;
		if (current == null || !isOrdered() || this.setBack || this.lostTail.isNoticed()) {
			return null;
		}
		long arrived = this.deliveries.arrived();
		// Deliveries that were sent back when the reading ended lie behind those settled.
		DurableState standing = look(current, (state) -> state.floor() < arrived);
		if (standing == null || standing.floor() < arrived || standing.isAheadOfItsStream()
				|| !standing.streamCreated().equals(this.streamCreated)) {
			return null;
		}
		boolean metAll = standing.floor() >= this.metBefore || (standing.pending() == 0 && standing.unsettled() == 0);
		return metAll ? (Long) standing.floor() : null;
	}

	/** Waits briefly, because the server may still be counting the last acks. */
	private @Nullable DurableState settled(DurableSpec current) {
		return look(current, (state) -> state.unsettled() > 0);
	}

	private @Nullable DurableState look(DurableSpec current, Predicate<DurableState> isLate) {
		DurableState standing = this.durables.find(current);
		for (int look = 1; look < LOOKS_AT_A_CLEAN_STOP && standing != null && isLate.test(standing); look++) {
			LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
			standing = this.durables.find(current);
		}
		return standing;
	}

	/**
	 * How reading goes on.
	 *
	 * @param plan after which sequence, and which skipped events are read again
	 * @param begins whether the plan is new, and must be stored
	 * @param lost whether the stream has lost its end
	 */
	private record Continuation(Plan plan, boolean begins, boolean lost) {
	}

}
