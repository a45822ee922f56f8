package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.EditedEvent;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Handover;
import dev.eventing.sdk.projector.feed.LogSettler;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
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

	private final ProjectorEndpoint endpoint;

	private final EventStoreAccess store;

	private final FeedContext context;

	private final DeliveryDecoder decoder;

	private final Checkpoint checkpoint;

	private final Coverage coverage;

	private final InFlight inFlight;

	private final Handover handover;

	/** Null if the read model is not being filled. */
	private final @Nullable StoreFill fill;

	private final LogPages pages;

	private final AppliedPages applied;

	/** The events that were read and not handed out yet. */
	private List<StoredEvent> page = List.of();

	/** Where it first met the end of the event store; -1 before that. */
	private long end = -1;

	/** Whether its activity has changed. For the thread of the intake. */
	private boolean hasNews;

	private volatile long arrived;

	/** Earlier owners may have settled events up to here, in any order. */
	private long metBefore = Long.MAX_VALUE;

	private volatile long pending;

	/**
	 * Reads nothing yet.
	 * @param lanes takes the events
	 * @param fill settles the events of a read model that is filled; else null
	 * @param elsewhere finds the events that need not be applied
	 */
	public StoreFeed(FeedContext context, Checkpoint checkpoint, Coverage coverage, InFlight inFlight,
			WorkReceiver lanes, @Nullable StoreFill fill, AppliedElsewhere elsewhere) {
		this.fill = fill;
		this.coverage = coverage;
		this.context = context;
		this.endpoint = context.endpoint();
		this.store = context.services().store();
		this.pages = new LogPages(context, POLL);
		this.decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.applied = AppliedPages.of(this.pages, coverage, elsewhere);
		this.checkpoint = checkpoint;
		this.inFlight = inFlight;
		this.handover = new Handover(inFlight, lanes);
	}

	@Override
	public String makeReady() {
		this.context.projectorLease().requireCurrent();
		if (!this.pages.hasBegun()) {
			begin();
		}
		return (this.fill != null) ? this.fill.describe() : "reading the event store";
	}

	private void begin() {
		boolean fromNow = this.endpoint.setting(ProjectorSettings::deliverPolicy) == DeliverPolicy.NEW;
		long suspectUpTo = this.checkpoint.begin(() -> fromNow ? this.store.log().head() : 0);
		long position = this.checkpoint.position();
		this.store.log().requireDrawn(position);
		long head = this.store.log().head();
		this.metBefore = (this.fill != null) ? Math.min(head, this.fill.upTo()) : head;
		// The subject of an event is known only after it is read.
		CoveragePlan plan = this.coverage.plan(EventPlace.EVENT_STORE, false, position,
				(subject) -> (position > 0) ? 0 : CoveragePlan.NO_EVENT);
		store(plan);
		this.handover.follow(PreviousOwnerState.of((plan.from() < position) ? plan.settledTo() : 0, suspectUpTo,
				this.context.attempts().waiting()));
		this.arrived = this.checkpoint.position();
		this.pages.beginAfter(this.arrived);
		logger.info("Projector '{}' reads the event store after position {} of {}{}.", this.endpoint.name(),
				this.arrived, head, (suspectUpTo > this.arrived) ? "; events up to " + suspectUpTo
						+ " may have been begun by a process that did not stop cleanly" : "");
	}

	/** Stores where reading begins, and which skipped events it reads again. */
	private void store(CoveragePlan plan) {
		long behind = Math.max(plan.from(), plan.settledTo());
		if (this.fill == null) {
			new PrunedHistoryGuard(this.context).requireNone(() -> this.store.log().recordedBehind(behind).orElse(null),
					"it reads after position " + behind + " of the event store");
		}
		Instant outstanding = this.store.log()
			.recordedBehind(plan.from())
			.orElseGet(this.context.services().clock()::instant);
		this.checkpoint.goBack(plan.from(), () -> {
			this.coverage.write(plan);
			this.context.attempts().forgetBefore(this.context.hold().keepsAttemptsOf(outstanding));
		});
		this.coverage.follow(plan);
	}

	@Override
	public ProjectorState activity() {
		return (this.fill != null && !this.fill.isReady()) ? ProjectorState.REBUILDING : ProjectorState.RUNNING;
	}

	@Override
	public boolean step() throws InterruptedException {
		this.context.projectorLease().requireCurrent();
		this.handover.run();
		if (this.fill != null && this.arrived >= this.fill.upTo()) {
			end(this.fill);
			return true;
		}
		if (this.page.isEmpty()) {
			Capacity room = this.inFlight.awaitRoom(POLL, 0);
			if (!room.isNone()) {
				int wanted = LogPages.size(room.events(), this.fill != null);
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
		this.pages.rest();
	}

	private void read(int limit, long maxBytes) throws InterruptedException {
		long upTo = this.context.pause().readsUpTo();
		if (this.applied.passOver(limit, upTo)) {
			passedTo(this.handover.before(this.pages.position()));
			return;
		}
		LogPages.Page next = this.pages.next(limit, maxBytes, upTo);
		this.page = next.events();
		if (next.unreadable() != null) {
			handOut(next.unreadable());
		}
		else if (this.page.isEmpty()) {
			passedTo(this.pages.position());
			this.checkpoint.move();
			this.end = (this.end < 0) ? this.pages.position() : this.end;
			this.hasNews = this.fill != null && this.checkpoint.position() >= this.end && this.fill.metTheEnd();
			this.pages.awaitMore();
		}
	}

	private void handOut() {
		if (this.fill != null) {
			this.fill.took(this.page.size());
			this.fill.page().begin(this.page);
		}
		List<Work> works = works(this.applied.among(this.page));
		if (this.fill != null) {
			this.fill.page().end();
		}
		if (!works.isEmpty()) {
			this.checkpoint.handOut(works);
		}
		this.handover.add(works);
		this.page = List.of();
		passedTo(this.handover.before(this.pages.position()));
		this.handover.run();
	}

	/** Returns what the lanes are to get of the page, up to what needs newer code. */
	private List<Work> works(Set<Long> applied) {
		List<Work> works = new ArrayList<>(this.page.size());
		for (StoredEvent stored : this.page) {
			Work work = taken(stored);
			if (work == null) {
				continue;
			}
			boolean passed = applied.contains(stored.position()) && stored.position() > this.coverage.settledTo();
			// An applied event could be read.
			if (!passed && this.handover.waitsAt(work)) {
				break;
			}
			this.coverage.note(work);
			if (!passed) {
				works.add(work);
			}
		}
		return works;
	}

	/** Returns the work on an event; null if no handler is to get it. */
	private @Nullable Work taken(StoredEvent stored) {
		String subject = this.pages.subjectOf(stored.event(), stored.position());
		boolean heard = subject != null && this.decoder.listensTo(subject);
		boolean read = this.fill == null || this.fill.page().reads(stored, heard);
		if (subject == null || !heard || !read) {
			return null;
		}
		Work work = work(stored, subject);
		boolean takes = (this.fill != null) ? this.fill.takes(work) : !this.coverage.isHandled(work);
		return takes ? work : null;
	}

	private Work work(StoredEvent stored, String subject) {
		byte[] edited = (this.fill != null) ? this.fill.page().editedPayload(stored) : null;
		return received(EditedEvent.of(new LoggedEvent(stored, subject, this.store.writer()), edited));
	}

	private Work received(SourceEvent event) {
		return new Work(this.decoder.route(event), new LogSettler(event.place().sequence(), this.checkpoint::settle));
	}

	/**
	 * Hands out a row that cannot be read. It becomes a dead letter, unless no handler
	 * listens to its subject.
	 */
	private void handOut(UnreadableEventException unreadable) {
		Event<UnboundPayload> envelope = unreadable.envelope();
		String subject = (envelope != null) ? this.pages.subjectOf(envelope, unreadable.position())
				: EventPlace.EVENT_STORE;
		if (subject != null && (envelope == null || this.decoder.listensTo(subject))) {
			Work work = received(new UnreadableRow(unreadable, subject));
			if (this.fill == null
					|| (this.fill.page().reads(unreadable, work.routed().ledgerKey()) && this.fill.takes(work))) {
				List<Work> works = List.of(work);
				this.checkpoint.handOut(works);
				this.handover.add(works);
			}
		}
		this.pages.passOver(unreadable);
		passedTo(this.pages.position());
		this.handover.run();
	}

	private void passedTo(long position) {
		long passed = (this.fill != null) ? Math.min(position, this.fill.upTo()) : position;
		this.arrived = passed;
		this.checkpoint.read(passed);
	}

	@Override
	public long arrived() {
		return this.arrived;
	}

	@Override
	public @Nullable Long settledTo() {
		return (this.handover.isAtRest() && this.arrived >= this.metBefore) ? (Long) this.arrived : null;
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
		if (this.pages.hasBegun()) {
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
