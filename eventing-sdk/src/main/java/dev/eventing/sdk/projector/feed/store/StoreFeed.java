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
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.EventStoreAccess;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Place;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Coverage.Plan;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.PrunedHistoryGuard;
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

	private static final long SHORTEST_PAUSE = 1;

	private static final long LONGEST_PAUSE = 100;

	private final ProjectorEndpoint endpoint;

	private final EventStoreAccess store;

	private final FeedContext context;

	private final DeliveryDecoder decoder;

	private final Checkpoint checkpoint;

	private final Coverage coverage;

	private final InFlight inFlight;

	private final Consumer<Work> lanes;

	private PreviousOwnerState previousOwner = PreviousOwnerState.NONE;

	private @Nullable LogReader reader;

	/** The events that were read and not handed out yet. */
	private List<StoredEvent> page = List.of();

	/**
	 * The events that are recorded as handed out and have not reached their lane, because
	 * of an error.
	 */
	private final Deque<Work> leaving = new ArrayDeque<>();

	private volatile long arrived;

	private volatile long pending;

	private long pause = SHORTEST_PAUSE;

	public StoreFeed(FeedContext context, Checkpoint checkpoint, Coverage coverage, InFlight inFlight,
			Consumer<Work> lanes) {
		this.coverage = coverage;
		this.context = context;
		this.endpoint = context.endpoint();
		this.store = context.services().store();
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
			// The subject of an event is known only after it is read.
			Plan plan = this.coverage.plan(Place.EVENT_STORE, false, position,
					(subject) -> (position > 0) ? 0 : Coverage.NONE);
			long behind = Math.max(plan.from(), plan.settledTo());
			new PrunedHistoryGuard(this.context).requireNone(() -> this.store.log().recordedBehind(behind).orElse(null),
					"it reads after position " + behind + " of the event store");
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
		return "reading the event store";
	}

	@Override
	public boolean step() throws InterruptedException {
		this.context.projectorLease().requireCurrent();
		handOver();
		if (this.page.isEmpty()) {
			Capacity room = this.inFlight.awaitRoom(POLL, 0);
			if (!room.isNone()) {
				read(Math.min(room.events(), PAGE), room.bytes());
			}
		}
		if (!this.page.isEmpty()) {
			handOut();
		}
		return true;
	}

	private void read(int limit, long maxBytes) throws InterruptedException {
		long seen = this.store.signal().count();
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
			boolean mayGoOn = await(from, seen);
			this.pause = mayGoOn ? SHORTEST_PAUSE : Math.min(2 * this.pause, LONGEST_PAUSE);
		}
		else {
			this.pause = SHORTEST_PAUSE;
		}
	}

	/** Waits for an append. Returns whether there was one that can be read at once. */
	private boolean await(LogReader from, long seen) throws InterruptedException {
		Duration wait = Duration.ofMillis(this.pause);
		if (from.isBlocked()) {
			this.store.signal().awaitAtHole(seen, wait);
			return false;
		}
		return this.store.signal().await(seen, wait);
	}

	private List<StoredEvent> next(LogReader from, int limit, long maxBytes) {
		try {
			return from.next(limit, maxBytes);
		}
		catch (LogSetBackException ex) {
			logger.error("Projector '{}' gives itself up and restarts after its checkpoint: {}", this.endpoint.name(),
					ex.getMessage());
			this.context.projectorLease().end();
			throw new OwnershipLostException(this.endpoint.name(), ex);
		}
	}

	private void handOut() {
		List<Work> works = new ArrayList<>(this.page.size());
		for (StoredEvent stored : this.page) {
			String subject = subjectOf(stored.event(), stored.position());
			if (subject != null && this.decoder.listensTo(subject)) {
				Work work = this.decoder
					.receive(new StoredOrigin(stored, subject, this.store.writer(), this.checkpoint::settle));
				if (!this.coverage.isHandled(work)) {
					this.coverage.note(work);
					works.add(work);
				}
			}
		}
		if (!works.isEmpty()) {
			this.checkpoint.handOut(works);
		}
		this.leaving.addAll(works);
		this.page = List.of();
		passedTo(Objects.requireNonNull(this.reader).position());
		handOver();
	}

	/**
	 * Hands out a row that cannot be read. It becomes a dead letter, unless no handler
	 * listens to its subject.
	 */
	private void handOut(LogReader from, UnreadableEventException unreadable) {
		Event<UnboundPayload> envelope = unreadable.envelope();
		String subject = (envelope != null) ? subjectOf(envelope, unreadable.position()) : Place.EVENT_STORE;
		if (subject != null && (envelope == null || this.decoder.listensTo(subject))) {
			List<Work> works = List.of(UnreadableRow.work(unreadable, subject, this.checkpoint::settle));
			this.checkpoint.handOut(works);
			this.leaving.addAll(works);
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
		this.arrived = position;
		this.checkpoint.read(position);
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
	public long pending() {
		return this.pending;
	}

	@Override
	public void save() {
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
