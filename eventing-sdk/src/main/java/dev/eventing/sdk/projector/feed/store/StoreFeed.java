package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.EditedEvent;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Coverage.Plan;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.LogSettler;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
import dev.eventing.sdk.store.LogPolls;
import dev.eventing.sdk.store.LogReader;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds a projector directly from the event store, in the order of positions. It skips
 * events whose subject matches no handler, like the filter of a durable.
 */
public final class StoreFeed implements Feed {

	private static final Logger logger = LoggerFactory.getLogger(StoreFeed.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final int PAGE = 500;

	private final ProjectorEndpoint endpoint;

	private final EventStoreAccess store;

	private final FeedContext context;

	private final DeliveryDecoder decoder;

	private final Checkpoint checkpoint;

	private final Coverage coverage;

	private final InFlight inFlight;

	private final Consumer<Work> lanes;

	/** Null if the read model is not being filled anew. */
	private final @Nullable StoreFill fill;

	private final LogPolls polls;

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	private @Nullable LogReader reader;

	/** The events that were read and not handed out yet. */
	private List<StoredEvent> page = List.of();

	/**
	 * The events that are recorded as handed out and have not reached their lane, because
	 * of an error.
	 */
	private final Deque<Work> leaving = new ArrayDeque<>();

	/** Where it first met the end of the event store; -1 before that. */
	private long end = -1;

	/** Whether its activity has changed. For the thread of the intake. */
	private boolean hasNews;

	private volatile long arrived;

	/**
	 * Earlier owners may have settled events up to here, in any order. For the thread of
	 * the intake.
	 */
	private long metBefore = Long.MAX_VALUE;

	private volatile long pending;

	/**
	 * Reads nothing yet.
	 * @param lanes takes the events
	 * @param fill settles the events of a read model that is filled anew; else null
	 */
	public StoreFeed(FeedContext context, Checkpoint checkpoint, Coverage coverage, InFlight inFlight,
			Consumer<Work> lanes, @Nullable StoreFill fill) {
		this.fill = fill;
		this.coverage = coverage;
		this.context = context;
		this.endpoint = context.endpoint();
		this.store = context.services().store();
		this.polls = new LogPolls(this.store.signal(), POLL);
		this.decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.checkpoint = checkpoint;
		this.inFlight = inFlight;
		this.lanes = lanes;
	}

	@Override
	public String makeReady() {
		this.context.projectorLease().requireCurrent();
		if (this.reader == null) {
			boolean fromNow = this.endpoint.options().deliverPolicy() == DeliverPolicy.NEW;
			long suspectUpTo = this.checkpoint.begin(() -> fromNow ? this.store.log().head() : 0);
			long position = this.checkpoint.position();
			this.store.log().requireDrawn(position);
			long head = this.store.log().head();
			this.metBefore = (this.fill != null) ? Math.min(head, this.fill.upTo()) : head;
			// The subject of an event is known only after it is read.
			Plan plan = this.coverage.plan(EventPlace.EVENT_STORE, false, position,
					(subject) -> (position > 0) ? 0 : Coverage.NONE);
			long behind = Math.max(plan.from(), plan.settledTo());
			if (this.fill == null) {
				new PrunedHistoryGuard(this.context).requireNone(
						() -> this.store.log().recordedBehind(behind).orElse(null),
						"it reads after position " + behind + " of the event store");
			}
			Instant outstanding = this.store.log()
				.recordedBehind(plan.from())
				.orElseGet(this.context.services().clock()::instant);
			this.checkpoint.goBack(plan.from(), () -> {
				this.coverage.write(plan);
				this.context.attempts().forgetBefore(outstanding);
			});
			this.coverage.follow(plan);
			this.previousOwner = PreviousOwnerState.of((plan.from() < position) ? plan.settledTo() : 0, suspectUpTo,
					this.context.attempts().waiting());
			this.arrived = this.checkpoint.position();
			this.reader = this.store.log().reader(this.arrived);
			logger.info("Projector '{}' reads the event store after position {}{}.", this.endpoint.name(), this.arrived,
					(suspectUpTo > this.arrived) ? "; events up to " + suspectUpTo
							+ " may have been begun by a process that did not stop cleanly" : "");
		}
		return (this.fill != null) ? this.fill.describe() : "reading the event store";
	}

	@Override
	public ProjectorState activity() {
		return (this.fill != null && !this.fill.isReady()) ? ProjectorState.REBUILDING : ProjectorState.RUNNING;
	}

	@Override
	public boolean step() throws InterruptedException {
		this.context.projectorLease().requireCurrent();
		handOver();
		if (this.fill != null && this.arrived >= this.fill.upTo()) {
			end(this.fill);
			return true;
		}
		if (this.page.isEmpty()) {
			Capacity room = this.inFlight.awaitRoom(POLL, 0);
			if (!room.isNone()) {
				int wanted = Math.min(room.events(), PAGE);
				int most = (this.fill != null) ? this.fill.awaitTurn(wanted, this.context.stopping()) : wanted;
				if (most > 0) {
					read(most, room.bytes());
				}
			}
		}
		if (!this.page.isEmpty()) {
			handOut();
		}
		boolean goesOn = !this.hasNews && (this.fill == null || !this.fill.takeNews());
		this.hasNews = false;
		return goesOn;
	}

	/**
	 * Completes the filling once all events are settled. Then waits until the projector
	 * starts again.
	 */
	private void end(StoreFill filled) throws InterruptedException {
		if (this.inFlight.size() == 0) {
			this.checkpoint.move();
			filled.complete();
		}
		this.polls.await(true);
	}

	private void read(int limit, long maxBytes) throws InterruptedException {
		this.polls.look();
		LogReader from = Objects.requireNonNull(this.reader);
		try {
			this.page = next(from, limit, maxBytes);
		}
		catch (UnreadableEventException ex) {
			handOut(from, ex);
			return;
		}
		if (this.page.isEmpty()) {
			passedTo(from.position());
			this.checkpoint.move();
			this.end = (this.end < 0) ? from.position() : this.end;
			this.hasNews = this.fill != null && this.checkpoint.position() >= this.end && this.fill.metTheEnd();
			this.polls.await(from.isBlocked());
		}
		else {
			this.polls.found();
		}
	}

	private List<StoredEvent> next(LogReader from, int limit, long maxBytes) {
		try {
			return from.next(limit, maxBytes);
		}
		catch (LogSetBackException ex) {
			logger.error("Projector '{}' gives itself up and restarts after its checkpoint: {}", this.endpoint.name(),
					ex.getMessage());
			this.context.projectorLease().end();
			throw new OwnershipLostException(this.endpoint.id(), ex);
		}
	}

	private void handOut() {
		List<Work> works = new ArrayList<>(this.page.size());
		if (this.fill != null) {
			this.fill.took(this.page.size());
			this.fill.decide(this.page);
		}
		for (StoredEvent stored : this.page) {
			String subject = subjectOf(stored.event(), stored.position());
			boolean heard = subject != null && this.decoder.listensTo(subject);
			if (this.fill != null && !this.fill.reads(stored, heard)) {
				continue;
			}
			if (heard) {
				Work work = work(stored, Objects.requireNonNull(subject));
				if (this.fill != null ? this.fill.takes(work) : !this.coverage.isHandled(work)) {
					this.coverage.note(work);
					works.add(work);
				}
			}
		}
		if (this.fill != null) {
			this.fill.forgetUnhandled();
		}
		if (!works.isEmpty()) {
			this.checkpoint.handOut(works);
		}
		this.leaving.addAll(works);
		this.page = List.of();
		passedTo(Objects.requireNonNull(this.reader).position());
		handOver();
	}

	private Work work(StoredEvent stored, String subject) {
		byte[] edited = (this.fill != null) ? this.fill.editedPayload(stored) : null;
		return received(EditedEvent.of(new LoggedEvent(stored, subject, this.store.writer()), edited));
	}

	private Work received(SourceEvent event) {
		return new Work(this.decoder.route(event), new LogSettler(event.place().sequence(), this.checkpoint::settle));
	}

	/**
	 * Hands out a row that cannot be read. It becomes a dead letter, unless no handler
	 * listens to its subject.
	 */
	private void handOut(LogReader from, UnreadableEventException unreadable) {
		Event<UnboundPayload> envelope = unreadable.envelope();
		String subject = (envelope != null) ? subjectOf(envelope, unreadable.position()) : EventPlace.EVENT_STORE;
		if (subject != null && (envelope == null || this.decoder.listensTo(subject))) {
			Work work = received(new UnreadableRow(unreadable, subject));
			if (this.fill == null || this.fill.reads(unreadable, work)) {
				List<Work> works = List.of(work);
				this.checkpoint.handOut(works);
				this.leaving.addAll(works);
			}
		}
		from.passOver(unreadable);
		passedTo(from.position());
		handOver();
	}

	private void handOver() {
		while (!this.leaving.isEmpty()) {
			Work work = this.leaving.element();
			this.previousOwner.mark(work);
			this.inFlight.add(work);
			this.lanes.accept(work);
			this.leaving.remove();
		}
	}

	private void passedTo(long position) {
		long passed = (this.fill != null) ? Math.min(position, this.fill.upTo()) : position;
		this.arrived = passed;
		this.checkpoint.read(passed);
	}

	/**
	 * Returns the subject of an event. Null if it has no valid subject. Then a relay
	 * cannot publish it either.
	 */
	private @Nullable String subjectOf(Event<?> event, long position) {
		try {
			return this.store.subjects().subjectOf(event);
		}
		catch (InvalidSubjectException ex) {
			logger.warn("Projector '{}' skips {} at position {}, because it has no valid subject: {}",
					this.endpoint.name(), event, position, ex.getMessage());
			return null;
		}
	}

	@Override
	public long arrived() {
		return this.arrived;
	}

	@Override
	public @Nullable Long settledTo() {
		return (this.inFlight.size() == 0 && this.leaving.isEmpty() && this.arrived >= this.metBefore)
				? (Long) this.arrived : null;
	}

	@Override
	public long pending() {
		return this.pending;
	}

	@Override
	public void save() {
		if (this.fill != null) {
			this.fill.requireWithinLimits();
		}
		this.checkpoint.requireKept();
		this.checkpoint.move();
		this.coverage.settled(this.checkpoint.position());
		this.pending = Math.max(0, this.store.log().head() - this.arrived);
	}

	@Override
	public void saveAtStop(boolean cleanStop) {
		if (this.reader != null) {
			this.checkpoint.move();
			this.coverage.settled(this.checkpoint.position());
			if (cleanStop) {
				this.checkpoint.stopInOrder();
			}
		}
	}

	@Override
	public void close() {
		// the reader holds nothing open
	}

}
