package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.StreamLog;
import dev.eventing.sdk.nats.StreamLogs;
import dev.eventing.sdk.nats.StreamReader;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.CoveragePlan;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Handover;
import dev.eventing.sdk.projector.feed.PreviousOwnerState;
import dev.eventing.sdk.projector.feed.Undelivered;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.feed.store.StoreFill;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a read model from a stream, or feeds a generation beside the live one from it. It
 * reads the stream like a log, by sequence, and never touches the durable, which is that
 * of the live generation. So a crash or a takeover needs nothing of the server.
 */
public final class FillingFeed implements Feed {

	private static final Logger logger = LoggerFactory.getLogger(FillingFeed.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final long AT_END_MILLIS = 20;

	private static final int PAGE = 500;

	private final FeedContext context;

	private final NatsClient nats;

	private final MendedMessages messages;

	private final DecidedEvents decided;

	private final Checkpoint checkpoint;

	private final Coverage coverage;

	private final InFlight inFlight;

	private final Handover handover;

	private final StoreFill fill;

	private final FillingStream stream;

	private final FillingWatch watch;

	private final CountDownLatch stopping;

	private Set<String> filters = Set.of();

	private boolean begun;

	private @Nullable StreamReader reader;

	/** Where it first met the end of the stream; -1 before that. */
	private long end = -1;

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
	 * @param fill settles the events; its read model is filled from a stream
	 */
	public FillingFeed(FeedContext context, Checkpoint checkpoint, Coverage coverage, InFlight inFlight,
			WorkReceiver lanes, StoreFill fill) {
		this.context = context;
		this.nats = context.services().nats();
		DeliveryDecoder decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.messages = new MendedMessages(context.services(), decoder, fill.filling().projection());
		this.decided = new DecidedEvents(decoder, fill, checkpoint);
		this.checkpoint = checkpoint;
		this.coverage = coverage;
		this.inFlight = inFlight;
		this.handover = new Handover(inFlight, lanes);
		this.fill = fill;
		this.stopping = context.stopping();
		SourceStream source = Objects.requireNonNull(fill.filling().stream());
		this.stream = new FillingStream(fill.filling(), source, new StreamLogs(this.nats), context.transactions());
		this.watch = new FillingWatch(this.nats, source.stream());
	}

	@Override
	public String makeReady() {
		this.context.projectorLease().requireCurrent();
		if (this.reader == null) {
			this.nats.requireConnected();
			if (!this.begun) {
				begin();
				this.begun = true;
			}
			this.stream.require(this.arrived, this.checkpoint.handedOut());
			if (this.arrived < this.fill.upTo()) {
				this.reader = new StreamReader(this.nats, this.stream.name(), this.filters, this.arrived);
			}
			this.watch.begin();
		}
		return this.fill.describe();
	}

	private void begin() {
		long suspectUpTo = this.checkpoint.begin(() -> 0);
		long position = this.checkpoint.position();
		StreamLog log = this.stream.require(position, this.checkpoint.handedOut());
		this.stream.requireKept(this.checkpoint.handedOut(), this.checkpoint.handedOutAt());
		this.metBefore = Math.min(log.lastSequence(), this.fill.upTo());
		CoveragePlan plan = this.coverage.plan(this.stream.name(), false, position, (subject) -> CoveragePlan.NO_EVENT);
		this.filters = this.coverage.subjects(this.stream.name());
		Instant next = this.stream.nextStoredAt(this.filters, plan.from());
		Instant outstanding = (next != null) ? next : this.context.services().clock().instant();
		this.checkpoint.goBack(plan.from(), () -> {
			this.coverage.write(plan);
			this.context.attempts().forgetBefore(outstanding);
		});
		this.coverage.follow(plan);
		this.handover.follow(PreviousOwnerState.of(0, suspectUpTo, this.context.attempts().waiting()));
		this.arrived = this.checkpoint.position();
		logger.info("Projector '{}' reads stream '{}' after sequence {}{}.", this.context.endpoint().name(),
				this.stream.name(), this.arrived, (suspectUpTo > this.arrived) ? "; events up to " + suspectUpTo
						+ " may have been begun by a process that did not stop cleanly" : "");
	}

	@Override
	public ProjectorState activity() {
		return this.fill.isReady() ? ProjectorState.RUNNING : ProjectorState.REBUILDING;
	}

	@Override
	public boolean step() throws InterruptedException {
		this.context.projectorLease().requireCurrent();
		this.nats.requireConnected();
		this.handover.run();
		if (this.arrived >= this.fill.upTo()) {
			end();
			return true;
		}
		StreamReader current = this.reader;
		if (current == null || current.isStale()) {
			return false;
		}
		boolean open = current.isRequestOpen();
		if (!open && this.fill.takeNews()) {
			return false;
		}
		Capacity room = open ? Capacity.NONE : awaitRoom(current);
		return (!open && room.isNone()) || read(current, room);
	}

	/** The room for further requests: all requested events may arrive. */
	private Capacity awaitRoom(StreamReader from) throws InterruptedException {
		this.watch.rest();
		Capacity room = this.inFlight.awaitRoom(POLL, from.tooFewBytes());
		int most = room.isNone() ? 0 : this.fill.awaitTurn(room.events(), this.stopping);
		this.watch.resume(most > 0);
		return (most < room.events()) ? new Capacity(most, room.bytes()) : room;
	}

	/**
	 * Completes the filling once all events are settled. Then waits until the projector
	 * starts again.
	 */
	private void end() throws InterruptedException {
		if (this.inFlight.size() == 0) {
			this.checkpoint.move();
			if (this.fill.filling().isPast() && !this.fill.isComplete()) {
				this.stream.requireComplete(this.stream.require(this.arrived, this.checkpoint.handedOut()));
			}
			this.fill.complete();
		}
		this.stopping.await(AT_END_MILLIS, TimeUnit.MILLISECONDS);
	}

	private boolean read(StreamReader from, Capacity room) throws InterruptedException {
		List<Delivery> page;
		try {
			page = from.next(PAGE, room.events(), room.bytes(), POLL);
		}
		catch (DurableGoneException ex) {
			logger.debug("Stream '{}' is read again after {}.", this.stream.name(), this.arrived, ex);
			meetsTheEnd(); // else it would not notice that this happens again and again
			return false;
		}
		if (!page.isEmpty()) {
			handOut(page);
			return !from.isStale() && !becomesReady();
		}
		if (from.isStale()) {
			return false;
		}
		return !this.watch.isDue() || !meetsTheEnd();
	}

	/**
	 * Whether it meets the end of the stream for the first time, with everything settled.
	 */
	private boolean meetsTheEnd() {
		StreamLog log = this.stream.require(this.arrived, this.checkpoint.handedOut());
		if (log.lastSequence() > this.arrived) {
			if (!this.stream.isAtEnd(log, this.filters, this.arrived)) {
				this.watch.nothingCame(this.arrived, this.handover.isAtRest());
				return false;
			}
			passedTo(log.lastSequence());
		}
		this.watch.goesOn();
		this.pending = 0;
		this.checkpoint.move();
		this.end = (this.end < 0) ? this.arrived : this.end;
		return isReady(log);
	}

	/**
	 * Whether it becomes ready while events keep coming, so that there is always more to
	 * read.
	 */
	private boolean becomesReady() {
		if (this.end < 0 && this.pending == 0) {
			this.end = this.arrived;
		}
		if (this.end < 0 || this.fill.isReady() || !this.watch.isDue()) {
			return false;
		}
		return isReady(this.stream.require(this.arrived, this.checkpoint.handedOut()));
	}

	private boolean isReady(StreamLog log) {
		if (this.checkpoint.position() < this.end || this.fill.isReady()) {
			return false;
		}
		this.stream.requireComplete(log);
		return this.fill.metTheEnd();
	}

	private void handOut(List<Delivery> page) {
		this.watch.goesOn();
		this.fill.took(page.size());
		List<RoutedEvent> received = this.messages.read(page);
		this.fill.page().begin(received.stream().map(RoutedEvent::ledgerKey).filter(Objects::nonNull).toList());
		List<Work> works = new ArrayList<>(page.size());
		for (int i = 0; i < page.size(); i++) {
			Work work = this.decided.work(page.get(i), received.get(i));
			if (work != null && this.fill.takes(work)) {
				if (this.handover.waitsAt(work)) {
					break;
				}
				this.coverage.note(work);
				works.add(work);
			}
		}
		this.fill.page().end();
		if (!works.isEmpty()) {
			this.checkpoint.handOut(works);
		}
		this.handover.add(works);
		Delivery last = page.get(page.size() - 1);
		this.stream.arrived(last.place());
		this.pending = last.pending();
		passedTo(this.handover.before(last.place().sequence()));
		this.handover.run();
	}

	private void passedTo(long sequence) {
		long passed = Math.min(sequence, this.fill.upTo());
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
	public @Nullable Undelivered undelivered() {
		return this.watch.current();
	}

	@Override
	public void save() {
		if (this.fill.isComplete()) {
			return;
		}
		this.fill.requireWithinLimits();
		this.checkpoint.requireKept();
		this.stream.require(this.arrived, this.checkpoint.handedOut());
		this.checkpoint.move();
		this.coverage.settled(this.checkpoint.position());
	}

	@Override
	public void saveAtStop(boolean cleanStop) {
		if (this.begun && !(this.fill.isComplete() && !this.fill.filling().isBeside())) {
			this.checkpoint.move();
			this.coverage.settled(this.checkpoint.position());
			if (cleanStop) {
				this.checkpoint.stopInOrder();
			}
		}
	}

	@Override
	public void close() {
		StreamReader current = this.reader;
		if (current != null) {
			this.reader = null;
			this.watch.rest();
			current.close();
		}
	}

}
