package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Clock;
import java.time.Instant;

import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.Durables.StreamLife;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
import dev.eventing.sdk.projector.feed.jetstream.Continuations.Continuation;
import dev.eventing.sdk.projector.feed.jetstream.Continuations.Facts;
import dev.eventing.sdk.projector.feed.jetstream.JdbcPositions.Saved;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.schema.SchemaIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Makes a projector's durable ready to pull from, at the start and after every
 * interruption.
 *
 * <p>
 * JetStream delivers new events at once, but unsettled ones only after their ack wait.
 * This would break the order after a start that finds unsettled deliveries, and after a
 * lost connection on which deliveries were lost. In both cases the durable is rewound to
 * its floor, and delivers all later events again in stream order. Duplicates are harmless
 * because of {@code processed_events}. An {@link OwnedStart} does so; a
 * {@link SharedStart} keeps no order. For the thread of the intake.
 */
abstract class StreamStart {

	protected final ProjectorEndpoint endpoint;

	protected final Durables durables;

	protected final SavedFloor floor;

	/** The deliveries that arrived on this node. */
	protected final DeliverySequence deliveries;

	protected final LostTail lostTail;

	protected final KnownStream stream;

	private final NatsClient nats;

	private final Streams streams;

	private final Coverage coverage;

	private final JdbcAttempts attempts;

	private final PrunedHistoryGuard prunedHistory;

	private final SchemaIdentity identity;

	private final Clock clock;

	private final Rewinds rewinds;

	private final Continuations continuations;

	private final FirstLook look;

	private volatile @Nullable DurableSpec spec;

	private boolean begun;

	/**
	 * The filter was changed, or the durable created again, by hand: it is to be rewound.
	 */
	private boolean changedByHand;

	StreamStart(FeedContext context, JdbcPositions positions, Coverage coverage, DeliverySequence deliveries) {
		this.coverage = coverage;
		this.endpoint = context.endpoint();
		this.nats = context.services().nats();
		this.streams = context.services().streams();
		this.durables = new Durables(this.nats);
		this.floor = SavedFloor.of(context, positions, coverage);
		this.attempts = context.attempts();
		this.prunedHistory = new PrunedHistoryGuard(context);
		this.identity = context.identity();
		this.clock = context.services().clock();
		this.deliveries = deliveries;
		this.stream = new KnownStream(deliveries);
		this.rewinds = new Rewinds(this.endpoint.id(), context.projectorLease(), this.durables, deliveries);
		this.lostTail = new LostTail(this.endpoint.id(), this.durables, deliveries);
		this.continuations = new Continuations(this.endpoint, this.durables, coverage, this.lostTail);
		this.look = new FirstLook(this.endpoint, this.nats);
	}

	/** The durable as it was last made ready, or null. */
	final @Nullable DurableSpec spec() {
		return this.spec;
	}

	/** The state that the previous owner of the projector left. */
	abstract PreviousOwnerState previousOwner();

	/** The deliveries that arrived on this node. */
	final DeliverySequence deliveries() {
		return this.deliveries;
	}

	/** The incarnation of the stream that deliveries come from. */
	final Incarnation incarnation() {
		return this.stream.incarnation();
	}

	/**
	 * Whether nothing may be pulled yet, because deliveries to another process must be
	 * redelivered first; see {@link Rewinds}.
	 */
	final boolean isQuiet() {
		return this.rewinds.isQuiet();
	}

	private DurableSpec wanted() {
		this.nats.requireConnected();
		DurableSpec known = this.spec;
		String stream = this.streams.carrying(this.endpoint.id(),
				(known != null) ? known.stream() : this.endpoint.stream(), this.endpoint.filterSubjects());
		return DurableSpecs.of(this.endpoint, stream, this.identity.get().toString())
			.withFilterSubjects(this.coverage.subjects(stream));
	}

	final DurableSpec makeReady() throws InterruptedException {
		DurableSpec wanted = wanted();
		boolean wasSetBack = isSetBack(wanted.stream());
		this.changedByHand |= hasOtherFilter();
		this.floor.forgetStorePosition();
		Saved saved = this.floor.known();
		Instant former = (saved != null) ? saved.streamCreated() : this.stream.created();
		// before a new durable exists, which would accept settlements of the former one
		StreamLife life = this.durables.life(wanted);
		noticeStreamMadeAnew(life.created());
		DurableState standing = reconciled(wanted, saved);
		Continuation next = continuation(wanted, standing,
				new Facts(saved, this.begun, !standing.streamCreated().equals(former), wasSetBack, this.changedByHand,
						saved != null && othersWatch(saved)));
		requireRemembered(wanted, readsBehind(next.plan()));
		noticeStreamMadeAnew(standing.streamCreated());
		this.stream.incarnation().setMaxAge(life.maxAge());
		if (next.begins()) {
			store(next.plan(), wanted, standing);
		}
		DurableState ready = withMissed(wanted, rewound(wanted, standing, next, saved != null && saved.cleanStop()));
		if (next.lost()) {
			this.lostTail.accept(ready);
		}
		this.deliveries.resume(ready);
		this.spec = wanted;
		isReady();
		return wanted;
	}

	private Continuation continuation(DurableSpec wanted, DurableState standing, Facts facts) {
		Continuation next = this.continuations.next(wanted, standing, facts);
		if (next.lost()) {
			beginIncarnation();
		}
		return next;
	}

	/** Returns the durable as it is, created if there was none. */
	private DurableState reconciled(DurableSpec wanted, @Nullable Saved saved) throws InterruptedException {
		DurableState reconciled = Overlaps.named(this.endpoint,
				() -> this.durables.reconcile(wanted, (saved != null) ? saved.toFloor() : null));
		this.changedByHand |= saved != null && reconciled.madeByHand();
		return awaitEndOfRequests(wanted, reconciled);
	}

	/** The durable is ready to pull from. */
	void isReady() {
		this.changedByHand = false;
	}

	/**
	 * Looks whether the database was set back while this node ran the projector.
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if the projector
	 * is given up because of that
	 */
	abstract boolean isSetBack(String stream);

	/** Whether other nodes compare the floor with what they saved themselves. */
	abstract boolean othersWatch(Saved saved);

	/** Looks whether the filter was changed since the durable was made ready last. */
	abstract boolean hasOtherFilter();

	/** Waits until no request of a closed connection is open. */
	abstract DurableState awaitEndOfRequests(DurableSpec wanted, DurableState reconciled) throws InterruptedException;

	/** The sequence behind which this node needs to know what was applied. */
	abstract long readsBehind(CoveragePlan plan);

	/** Whether no event may pass one that newer code has written. */
	abstract boolean endsAtNewerEvents();

	/**
	 * The sequence before the first event that another node may have settled because a
	 * plan of this node was not stored yet; {@link CoveragePlan#NO_EVENT} if there is
	 * none. It stays until {@link #isReady}, also if a request fails before that.
	 */
	abstract long missed(DurableSpec wanted);

	/** A plan is about to be stored. */
	abstract void beginsToRead(DurableState standing, CoveragePlan plan);

	/** The stream is another one than before, or has lost its end. */
	abstract void beginsIncarnation();

	/**
	 * Looks at the deliveries from before the first request of this node.
	 * @param from where the plan begins
	 * @return whether unsettled deliveries must be read again
	 */
	abstract boolean meets(DurableState standing, long from, boolean cleanStop);

	final void setChangedByHand() {
		this.changedByHand = true;
	}

	private void noticeStreamMadeAnew(Instant created) {
		if (this.stream.follow(created)) {
			beginsIncarnation();
		}
	}

	private void beginIncarnation() {
		this.stream.begin();
		beginsIncarnation();
	}

	/**
	 * Makes sure that the floor of the durable is still that of the projector.
	 * @throws DurableGoneException if others have made or changed the durable
	 */
	void requireUnchanged(@Nullable DurableState standing) {
		if (standing != null && standing.madeByHand()) {
			throw new DurableGoneException("Durable '" + this.endpoint.durableName() + "' on stream '"
					+ standing.stream() + "' was created again by others.");
		}
	}

	/** Stores where reading begins, and which skipped events it reads again. */
	private void store(CoveragePlan plan, DurableSpec wanted, DurableState standing) {
		beginsToRead(standing, plan);
		if (!plan.catchesUpWith().isEmpty() && plan.from() == standing.floor()) {
			// before the plan is saved: nothing else would show that it was not done
			this.rewinds.rewind(wanted, standing, plan.from());
		}
		Instant next = this.durables.firstBehind(wanted, plan.from());
		Instant outstanding = (next != null) ? next : this.clock.instant();
		this.floor.begin(standing, plan.from(), () -> {
			this.coverage.write(plan);
			this.attempts.forgetBefore(outstanding);
		});
		this.coverage.follow(plan);
	}

	/** Reads again what other nodes may have settled before the plan was stored. */
	private DurableState withMissed(DurableSpec wanted, DurableState ready) {
		long missed = missed(wanted);
		return (missed != CoveragePlan.NO_EVENT) ? this.rewinds.rewind(wanted, ready, Math.min(missed, ready.floor()))
				: ready;
	}

	/** Rewinds the durable, unless it is at the right place, and returns it. */
	private DurableState rewound(DurableSpec wanted, DurableState standing, Continuation next, boolean cleanStop) {
		long from = next.plan().from();
		if (!this.begun) {
			DurableState first = begin(wanted, standing, next.plan(), cleanStop);
			this.look.begins(first, from);
			this.begun = true;
			return first;
		}
		if (from < standing.floor() || next.lost() || standing.isAheadOfItsStream() || this.changedByHand) {
			return this.rewinds.rewind(wanted, standing, from);
		}
		return this.rewinds.fetchMissed(wanted, standing);
	}

	final void requireRemembered(DurableSpec wanted, long behind) {
		this.prunedHistory.requireNone(() -> this.durables.firstBehind(wanted, behind), "durable '" + wanted.name()
				+ "' reads after sequence " + behind + " of stream '" + wanted.stream() + "'");
	}

	/** Rewinds the durable before the first request, if necessary. */
	private DurableState begin(DurableSpec wanted, DurableState standing, CoveragePlan plan, boolean cleanStop) {
		boolean unsettled = meets(standing, plan.from(), cleanStop);
		boolean again = plan.from() < standing.floor() || this.changedByHand || this.lostTail.isNoticed()
				|| standing.isAheadOfItsStream() || !plan.catchesUpWith().isEmpty() || unsettled;
		return again ? this.rewinds.rewind(wanted, standing, plan.from()) : standing;
	}

	/**
	 * Saves the floor of the durable if it has moved, and checks that the database has
	 * kept what was saved before.
	 * @return the durable as it is now, or null if that is not known
	 * @throws DurableGoneException if the stream has lost its end, or the filter of the
	 * durable was changed by hand, or others have made the durable
	 */
	final @Nullable DurableState save(boolean cleanStop) {
		DurableSpec current = this.spec;
		if (current != null && !cleanStop) {
			this.look.looksFor(current.stream());
		}
		return (current != null) ? save(current, cleanStop) : null;
	}

	abstract @Nullable DurableState save(DurableSpec current, boolean cleanStop);

	/**
	 * The durable as it is now, or null if there is none.
	 * @throws DurableGoneException if its floor is not that of the projector any more
	 */
	final @Nullable DurableState whole(DurableSpec current, boolean cleanStop) {
		DurableState standing = cleanStop
				? SettlingDurable.find(this.durables, current, (state) -> state.unsettled() > 0)
				: this.durables.find(current);
		this.lostTail.requireNone(standing, this.coverage.settledTo());
		requireUnchanged(standing);
		return standing;
	}

	/**
	 * The sequence up to which all events are settled, and no later one is, while nothing
	 * is read or in flight on this node. Null if that is not so: the server does not know
	 * yet of all that arrived here and was settled, or this node has not met all that an
	 * earlier owner may have settled.
	 */
	abstract @Nullable Long settledTo();

}
